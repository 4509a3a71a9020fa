import { createKey } from '@waymark/domain/access';
import { addEndpoint } from '@waymark/domain/outbound';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applySharedFile, publishFlows, SEGMENTS_FILE } from '@waymark/domain/flows';
import type { BrowserFixture } from './browser-fixture.js';

/** A word without a place to break it, of so many characters. */
const endless = (length: number): string =>
  'WaymarkWithoutASpace'.repeat(Math.ceil(length / 20)).slice(0, length);
const RIGHT_TO_LEFT = 'مرحبا بالعالم שלום עולם';
const EMOJI = '👩‍👩‍👧‍👦🏳️‍🌈🇨🇭';

/** As long as identifiers of users and groups may get. */
export const USER = `${EMOJI}${RIGHT_TO_LEFT}${endless(512)}`.slice(0, 512);
const GROUP = endless(512);
/** As long as names in flow files may get. */
const named = (first: string): string => `${first}-${endless(127 - first.length)}`;
export const FLOW = named('flow');
export const SEGMENT = named('segment');
export const BLOCKS = {
  modal: named('a'),
  list: named('b'),
  custom: named('c'),
  branch: named('d'),
  hook: named('e'),
};
const ITEMS = [named('i'), named('j')] as const;

const BODY = `# ${endless(90)}

${RIGHT_TO_LEFT} **${endless(120)}** *${EMOJI.repeat(30)}*

- ${endless(100)}
- [${endless(80)}](https://example.com/${endless(200)}) and \`${endless(120)}\`
`;

/** Every text in it is longer than a page is designed for. */
const flowFile = JSON.stringify({
  flow: FLOW,
  name: `${endless(150)} ${RIGHT_TO_LEFT} ${EMOJI}`,
  target: {
    users: 'matching',
    when: `segment("${SEGMENT}") OR NOT user.properties.${endless(100)} == "${endless(200)}${RIGHT_TO_LEFT}"`,
  },
  start: BLOCKS.branch,
  blocks: {
    [BLOCKS.branch]: {
      type: 'branch',
      when: `NOT includes(user.properties.${endless(90)}, "${endless(120)}")`,
      paths: { true: [BLOCKS.modal, BLOCKS.list, BLOCKS.hook], false: BLOCKS.custom },
    },
    [BLOCKS.modal]: {
      type: 'modal',
      fields: {
        title: endless(300),
        body: BODY,
        'complete-label': endless(120),
        [named('field')]: endless(200),
      },
      paths: { complete: BLOCKS.custom, dismiss: 'finish' },
    },
    [BLOCKS.list]: {
      type: 'checklist',
      fields: { title: `${RIGHT_TO_LEFT} ${endless(100)}` },
      items: Object.fromEntries(
        ITEMS.map((id) => [id, { fields: { title: endless(200), body: BODY } }]),
      ),
      paths: { complete: BLOCKS.custom },
    },
    [BLOCKS.custom]: {
      type: 'custom',
      fields: { text: EMOJI.repeat(40) },
      paths: { [named('path')]: 'finish' },
    },
    [BLOCKS.hook]: {
      type: 'webhook',
      url: `https://${endless(60)}.test/${endless(300)}`,
      next: BLOCKS.custom,
    },
  },
});

/**
 * Users, groups, flows, keys and what is recorded of them, all with texts as long and as odd as
 * they may be.
 */
export async function setUpExtremes({ fixture }: BrowserFixture): Promise<void> {
  const author = { by: endless(120), reason: `${endless(400)} ${RIGHT_TO_LEFT}` };
  const properties = {
    [endless(200)]: endless(1_000),
    [RIGHT_TO_LEFT]: RIGHT_TO_LEFT.repeat(20),
    [EMOJI]: { [endless(90)]: [EMOJI] },
  };
  await applySharedFile(
    fixture.dataSource,
    SEGMENTS_FILE,
    { [SEGMENT]: `user.properties["${endless(100)}"] == "${endless(200)}${RIGHT_TO_LEFT}"` },
    author,
  );
  await fixture.identify(USER, properties);
  await fixture.identifyGroup(GROUP, properties);
  await fixture.join(USER, GROUP);
  const { draft, problems } = parseFlowFile(flowFile, { file: 'flow.json' });
  if (!draft) throw new Error(JSON.stringify(problems));
  const words = { message: `${endless(500)} ${RIGHT_TO_LEFT}`, migration: 'carry-over' } as const;
  await publishFlows(
    fixture.dataSource,
    [draft],
    author,
    words,
    new Map([[FLOW, { text: flowFile }]]),
  );
  await publishFlows(fixture.dataSource, [{ ...draft, name: RIGHT_TO_LEFT }], author);
  await fixture.catalogue.refresh();
  await fixture.read(USER, FLOW);
  await fixture.take(USER, FLOW, 1, ITEMS[0], ['complete']);
  await createKey(
    fixture.dataSource,
    { environment: 'development', kind: 'users', name: endless(100) },
    author,
  );
  const url = `https://${endless(60)}.test/${endless(600)}`;
  await addEndpoint(
    fixture.dataSource,
    fixture.environmentId,
    { name: endless(100).toLowerCase(), url },
    author,
  );
  await fixture.dataSource.query('UPDATE endpoints SET paused_at = now(), pause_reason = $1', [
    endless(300),
  ]);
  await fixture.dataSource.query('UPDATE effects SET last_error = $1, failed_at = now()', [
    endless(300),
  ]);
}
