import { useEffect, useRef } from 'preact/hooks';
import type { Place } from '@waymark/domain/flow-files/text';
import type { Editing } from './editing.js';

const FIELDS = 'input, select, textarea';

/** Names an element as that of a place, so that it is found again. */
export const placeName = (place: Place): string => place.join('\n');

/**
 * Gives the focus to the field of the wanted place, else to the first one of the smallest part
 * around it. Its text is selected: what is typed next replaces the one that new parts begin with.
 */
export function useWanted({ wanted }: Editing) {
  const side = useRef<HTMLElement>(null);
  useEffect(() => {
    const place = wanted.value;
    if (place === undefined) return;
    wanted.value = undefined;
    const part = side.current && partOf(side.current, place);
    if (!part) return;
    for (let around = part.closest('details'); around; around = aroundOf(around))
      around.open = true;
    const field = part.matches(FIELDS) ? part : part.querySelector<HTMLElement>(FIELDS);
    (field ?? part.querySelector('button'))?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [wanted.value]);
  return side;
}

const aroundOf = (one: Element): HTMLDetailsElement | null =>
  one.parentElement?.closest('details') ?? null;

function partOf(form: HTMLElement, place: Place): HTMLElement | undefined {
  const parts = [...form.querySelectorAll<HTMLElement>('[data-place]')];
  const names = place.map((_, index) => placeName(place.slice(0, index + 1)));
  return names
    .reverse()
    .map((name) => parts.find(({ dataset }) => dataset['place'] === name))
    .find(Boolean);
}
