import { RecentlyUsed } from '@waymark/domain/memory';
import { findPlaces } from '../places/find-places.js';
import type { Places, Unplaced } from '../places/unplaced.js';

/** What was arranged last, some megabytes of it; weighed by boxes and edges. Nobody changes one. */
const arranged = new RecentlyUsed<Places>(20_000);

/**
 * Finding the places takes most of the time of a picture, and whoever types a text seldom changes the room of a box: what was
 * arranged last is not arranged again (T9).
 */
export function arrange(unplaced: Unplaced): Places {
  const key = JSON.stringify(unplaced);
  const known = arranged.find(key);
  if (known) return known;
  const places = findPlaces(unplaced);
  arranged.set(key, places, unplaced.boxes.length + unplaced.edges.length);
  return places;
}
