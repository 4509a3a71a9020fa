import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow, split } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { referenceWay } from '@waymark/testing/reference';
import { fold } from '../../engine/index.js';
import { groupId, userId } from '../../users/index.js';
import { contextNeedOf } from './decide.js';

const USERS = Array.from({ length: 12 }, (_, index) => `user-${index}`);
const SHARES = { short: 45, long: 45, none: 10 };
const WAYS = Object.entries(SHARES).map(([name, share]) => ({ name, share }));
const START = { kind: 'start', force: true } as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const user of USERS) await fixture.identify(user, {});
  for (const by of ['user', 'group'] as const)
    await fixture.commit(
      defineFlow({
        flow: `by-${by}`,
        start: `${by}-offer`,
        blocks: {
          [`${by}-offer`]: split(SHARES, { short: `${by}-tips`, long: `${by}-list` }, by),
          [`${by}-tips`]: card(),
          [`${by}-list`]: card(),
        },
      }),
    );
});
afterAll(() => fixture.close());

async function wayOf(user: string, flow: string, group?: string): Promise<string> {
  const resolved = await fixture.catalogue.getFlow(flow, 1);
  const actor = { environmentId: fixture.environmentId, user, ...(group && { group }) };
  const { state } = await fixture.runner.run(resolved, actor, START);
  return state.blocks[uidIn(resolved.compiled.definition)]!.transitioned![0]!;
}
const uidIn = ({ blocks }: { blocks: readonly { uid: string; type: string }[] }): string =>
  blocks.find(({ type }) => type === 'split')!.uid;
const uidOf = async (flow: string) =>
  uidIn((await fixture.catalogue.getFlow(flow, 1)).compiled.definition);

describe('a split', () => {
  test('sends users by their ids, whatever group the request names (K1)', async () => {
    const uid = await uidOf('by-user');
    for (const user of USERS)
      expect(await wayOf(user, 'by-user', 'acme')).toBe(
        referenceWay(uid, userId(fixture.environmentId, user), WAYS),
      );
  });

  test('by group sends all in a group by the id of the group, others by their own (K1)', async () => {
    const uid = await uidOf('by-group');
    for (const [index, user] of USERS.entries()) {
      const group = index % 3 === 0 ? undefined : `group-${index % 3}`;
      const { environmentId } = fixture;
      const subject = group ? groupId(environmentId, group) : userId(environmentId, user);
      expect(await wayOf(user, 'by-group', group)).toBe(referenceWay(uid, subject, WAYS));
    }
  });

  test('reads no properties, and its recorded event of format 2 gives the state (K1, S6, Z0)', async () => {
    const flow = await fixture.catalogue.getFlow('by-user', 1);
    expect(contextNeedOf({ kind: 'read', starts: true }, flow)).toBe('never');
    const events = await fixture.loadEvents(USERS[0]!, 'by-user', 1);
    expect(events.map(({ event }) => event.format)).toEqual([2]);
    const { state } = await fixture.read(USERS[0]!, 'by-user');
    expect(fold(events.map(({ event }) => event))).toEqual(state);
  });
});
