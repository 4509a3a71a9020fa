import type { Announcement } from '../state/state-changes.js';

/** NOTIFY refuses 8,000 bytes and more; everything in an announcement is ASCII. */
const LARGEST_PAYLOAD = 7_900;

type Packed = [userId: string, flow: string, version: number, revisionOrBlock: number | string];

/** As few texts as hold them all, each short enough for one NOTIFY. */
export function packAnnouncements(announcements: Iterable<Announcement>): string[] {
  const payloads: string[] = [];
  let payload = '';
  for (const announcement of announcements) {
    const text = JSON.stringify(pack(announcement));
    if (payload && payload.length + text.length + 2 > LARGEST_PAYLOAD) {
      payloads.push(`[${payload}]`);
      payload = '';
    }
    payload += payload ? `,${text}` : text;
  }
  return payload ? [...payloads, `[${payload}]`] : payloads;
}

/**
 * What a text announces; nothing where it is not one of ours (another release may write
 * differently).
 */
export function unpackAnnouncements(payload: string): Announcement[] {
  try {
    const packed: unknown = JSON.parse(payload);
    return Array.isArray(packed) ? packed.filter(isPacked).map(unpack) : [];
  } catch {
    return [];
  }
}

const pack = (announcement: Announcement): Packed => [
  announcement.userId,
  announcement.flow,
  announcement.version,
  'block' in announcement ? announcement.block : announcement.revision,
];

function unpack([userId, flow, version, last]: Packed): Announcement {
  const state = { userId, flow, version };
  return typeof last === 'string' ? { ...state, block: last } : { ...state, revision: last };
}

function isPacked(value: unknown): value is Packed {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [userId, flow, version, last] = value as unknown[];
  const isState =
    typeof userId === 'string' && typeof flow === 'string' && Number.isSafeInteger(version);
  return isState && (typeof last === 'string' || Number.isSafeInteger(last));
}
