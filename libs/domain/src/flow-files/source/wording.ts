export function quote(text: string): string {
  return JSON.stringify(text);
}

/** `a, b and c` */
export function listOf(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
