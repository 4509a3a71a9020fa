const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Most texts, and by far the most attributes, have nothing to escape. */
const PLAIN = /^[\w .,:;#%()+-]*$/;

/** Text for XML and HTML, in elements and attributes. Characters that XML cannot hold at all become U+FFFD. */
export function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
