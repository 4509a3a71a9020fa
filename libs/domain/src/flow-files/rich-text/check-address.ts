import { listOf } from '../source/wording.js';
import type { ElementType } from './rich-text-node.js';

const LINKS = ['http', 'https', 'mailto', 'tel'];
const MEDIA = ['http', 'https', 'data'];
const SCHEMES: Partial<Record<ElementType, readonly string[]>> = { link: LINKS, image: MEDIA, video: MEDIA };

/**
 * What is wrong with the address of a link, image or video; undefined where nothing is. Whoever writes a flow must not be able
 * to run scripts in the pages that show it (F2).
 */
export function addressProblem(type: ElementType, url: string): string | undefined {
  const allowed = SCHEMES[type];
  const scheme = schemeOf(url);
  if (!allowed || scheme === undefined || allowed.includes(scheme)) return undefined;
  return `the address of a ${type} is relative or begins with ${listOf(allowed, 'or')}, not with ${scheme}:`;
}

/** As browsers read it, who skip blanks and control characters. */
function schemeOf(url: string): string | undefined {
  const seen = url.replace(/[\p{Cc}\s]/gu, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(seen)?.[1]?.toLowerCase();
}
