/**
 * The address as it is where it leads to the web, to mail or to a telephone; otherwise undefined. It is read as a browser
 * does, so that blanks, line breaks and letter case hide nothing.
 */
export function safeAddress(address: unknown = ''): string | undefined {
  try {
    const { protocol } = new URL(address as string, 'https://page');
    return /^(https?|mailto|tel):$/.test(protocol) ? (address as string) : undefined;
  } catch {
    return undefined;
  }
}
