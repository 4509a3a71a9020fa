/**
 * The document as the browser has it: in the page's own markup, `<img name="body">` would take the
 * place of its member. It is looked up for each use, since it is not there on a server.
 */
export const dom = new Proxy({} as Document, {
  get(_, name) {
    const value: unknown = Reflect.get(Document.prototype, name, document);
    return typeof value === 'function'
      ? (...given: unknown[]): unknown => Reflect.apply(value, document, given)
      : value;
  },
});
