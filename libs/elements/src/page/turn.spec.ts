import { expect, test } from '@jest/globals';
import { Turn } from './turn.js';

const told: string[] = [];
const createClaim = (name: string, ...rank: number[]) => ({
  isThere: true,
  rank: () => rank,
  isReady() {
    return this.isThere;
  },
  onTurn: (hasTurn: boolean) => void told.push(`${name} ${hasTurn ? 'shown' : 'hidden'}`),
});
const heard = () => told.splice(0);

test('one is shown at a time, by client, flow and block (N4)', () => {
  const turn = new Turn();
  const endFirst = turn.claim(createClaim('first', 0, 1, 0));
  const endLater = turn.claim(createClaim('later', 1, 0, 0));
  const endSooner = turn.claim(createClaim('sooner', 0, 0, 5));
  expect(heard()).toEqual(['first shown']);
  endFirst();
  expect(heard()).toEqual(['sooner shown']);
  endSooner();
  endSooner();
  endLater();
  expect(heard()).toEqual(['later shown']);
});

test('what cannot be shown gives up its turn, and interrupts nothing when it can again (N4)', () => {
  const turn = new Turn();
  const tour = createClaim('tour', 0, 0, 0);
  const modal = createClaim('modal', 0, 1, 0);
  turn.claim(tour);
  const end = turn.claim(modal);
  tour.isThere = false;
  turn.look();
  expect(heard()).toEqual(['tour shown', 'tour hidden', 'modal shown']);
  tour.isThere = true;
  turn.look();
  expect(heard()).toEqual([]);
  end();
  expect(heard()).toEqual(['tour shown']);
});
