/**
 * A name as one part of an address. Browsers take `.` and `..` for steps, however they are escaped,
 * so that these two get a `~` before them, as do those that read like them with one; the server
 * takes it off.
 */
export function writePart(name: string | number): string {
  return encodeURIComponent(String(name).replace(/^(?=~*\.{1,2}$)/, '~'));
}

/** The name; a part that cannot be decoded stays as it is. */
export function readPart(part: string): string {
  try {
    return decodeURIComponent(part).replace(/^~(?=~*\.{1,2}$)/, '');
  } catch {
    return part;
  }
}
