import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { choose, query } from '../router/router.js';

/**
 * Containers whose items the pictures of this view leave out, as the address has them: `a,b`, or
 * empty (T19).
 */
export const folded = computed(() => query.value.get('folded') ?? '');

/** The same as a list, for a request; nothing where none is folded. */
export const foldedBlocks = (): { folded?: string[] } =>
  folded.value === '' ? {} : { folded: folded.value.split(',') };

/** Draws again what is folded in another way; the former picture stays visible until then. */
export function useRedraw(redraw: () => void): void {
  const before = useRef(folded.value);
  useEffect(() => {
    if (before.current === folded.value) return;
    before.current = folded.value;
    redraw();
  }, [folded.value]);
}

export function fold(block: string, isFolded: boolean): void {
  const others = folded.value.split(',').filter((one) => one !== '' && one !== block);
  const next = (isFolded ? [...others, block] : others).join(',');
  choose({ folded: next || undefined }, { replace: true });
}
