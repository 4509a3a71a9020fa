import { hash } from 'node:crypto';

const NAMESPACE_BYTES = 16;
const MAX_IDENTIFIER_BYTES = 4 * 512;

let scratch = Buffer.allocUnsafe(NAMESPACE_BYTES + MAX_IDENTIFIER_BYTES);
let scratchNamespace = '';

/** UUIDv5 of a name in a namespace, which is a UUID. */
export function uuidOf(namespace: string, name: string): string {
  // By hand rather than by the uuid package, which takes five times as long: this runs for every
  // user of every identify.
  const digits = hash('sha1', nameBytes(namespace, name), 'hex');
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) & 3];
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/**
 * The key of a user: UUIDv5 of environment and identifier, computed in the process, so that no
 * request looks an identifier up. It is also the one distribution key of every table a request
 * touches.
 */
export const userId: (environmentId: string, identifier: string) => string = uuidOf;

/**
 * The key of a group. Groups and users have tables of their own, so equal identifiers never meet.
 */
export const groupId = userId;

/** Namespace and name in a buffer that the next call writes over. */
function nameBytes(namespace: string, name: string): Buffer {
  if (name.length * 3 > scratch.length - NAMESPACE_BYTES) {
    scratch = Buffer.allocUnsafe(NAMESPACE_BYTES + name.length * 3);
    scratchNamespace = '';
  }
  if (namespace !== scratchNamespace) {
    scratch.write(namespace.replaceAll('-', ''), 'hex');
    scratchNamespace = namespace;
  }
  return scratch.subarray(0, NAMESPACE_BYTES + scratch.write(name, NAMESPACE_BYTES));
}
