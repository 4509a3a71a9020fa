/** The headers of a signature, as Standard Webhooks names them. */
export const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Headers that belong to the connection or to the signature: neither flows nor endpoints may write
 * them.
 */
const RESERVED = new Set<string>([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  ...SIGNATURE_HEADERS,
]);
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a header is ours to write, whatever its case. */
export const isReservedHeader = (name: string): boolean => RESERVED.has(name.toLowerCase());

/** Why a header cannot be sent, in words; undefined where it can. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return `${JSON.stringify(name)} cannot be the name of a header`;
  if (isReservedHeader(name)) return `the header ${name} is written by Waymark itself`;
  return VALUE.test(value)
    ? undefined
    : `the value of header ${name} has characters that HTTP cannot carry`;
}
