/** Whether a flow or a block may be called so. */
export function isIdentifier(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$/.test(text);
}

/** Suggestions for a mistyped identifier; empty if nothing comes close. */
export function nearIdentifier(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 128)
    .replace(/-+$/, '');
}
