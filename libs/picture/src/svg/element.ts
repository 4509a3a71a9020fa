type Attributes = Readonly<Record<string, string | number | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most texts, and by far the most attributes, have nothing to escape. */
const PLAIN = /^[\w .,:;#%()+-]*$/;

/** One SVG element; children are elements already, texts go through `textElement`. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  let open = `<${name}`;
  // A large picture has tens of thousands of attributes: no lists of them in between.
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) open += ` ${key}="${escapeXml(format(value))}"`;
  }
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

export function textElement(text: string, attributes: Attributes): string {
  return element('text', attributes, [escapeXml(text)]);
}

/** What a browser shows while the pointer rests on the element around it. */
export function tooltip(text: string): string {
  return element('title', {}, [escapeXml(text)]);
}

/**
 * Text for XML and HTML, in elements and attributes. Characters that XML cannot hold at all become
 * U+FFFD.
 */
export function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function format(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
}
