import type { FlowDefinition } from '@waymark/domain/engine';
import { describeProblem, parseFlowFile } from '@waymark/domain/flow-files';
import { assignUids } from '@waymark/domain/flows';

const SECTION_BLOCKS = 10;

type Blocks = [id: string, block: object][];

/**
 * A flow of exactly so many blocks, items counted, at most 1,000 (S4): sections of ten with every
 * kind of block, one after the other, then cards. The same for the same number; the uid of block
 * `card-3` is `<flow>-card-3`.
 */
export function largeFlow(blocks: number, flow = 'large'): FlowDefinition {
  const { draft, problems } = parseFlowFile(largeFlowFile(blocks, flow), { file: `${flow}.json` });
  if (!draft) throw new Error(problems.map(describeProblem).join('\n'));
  const { definition } = assignUids(draft, [], () => '');
  return withNamedUids(definition);
}

/** The same flow as a flow file, in JSON. */
export function largeFlowFile(blocks: number, flow = 'large'): string {
  const sections = Math.floor(blocks / SECTION_BLOCKS);
  const cards = blocks % SECTION_BLOCKS;
  const first = (section: number): string =>
    section < sections ? `welcome-${section}` : cards > 0 ? 'card-0' : 'finish';
  const all = [
    ...Array.from({ length: sections }, (_, number) => section(number, first(number + 1))).flat(),
    ...Array.from({ length: cards }, (_, number) =>
      card(`card-${number}`, number + 1 < cards ? `card-${number + 1}` : 'finish'),
    ),
  ];
  return JSON.stringify(
    { flow, name: `A flow of ${blocks} blocks`, start: first(0), blocks: Object.fromEntries(all) },
    null,
    2,
  );
}

function section(number: number, next: string): Blocks {
  const id = (name: string): string => `${name}-${number}`;
  const item = { fields: { title: 'An item', body: 'With *a few* words.' } };
  return [
    [
      id('welcome'),
      {
        type: 'modal',
        fields: { title: `Section ${number}`, body: 'Three steps and **you are set**.' },
        paths: { complete: id('is-admin'), dismiss: 'finish' },
      },
    ],
    [
      id('is-admin'),
      {
        type: 'branch',
        when: 'includes(user.properties.roles, "Admin")',
        paths: { true: [id('setup'), id('offer')], false: id('survey') },
      },
    ],
    [
      id('setup'),
      {
        type: 'checklist',
        items: Object.fromEntries(['first', 'second', 'third'].map((name) => [id(name), item])),
        paths: { 'complete,dismiss': id('both-done') },
      },
    ],
    card(id('offer'), id('both-done')),
    [id('both-done'), { type: 'gate', next: id('tell') }],
    [
      id('survey'),
      {
        type: 'custom',
        fields: { question: 'How was it?', max: 5 },
        paths: { answered: id('tell'), back: id('welcome') },
      },
    ],
    [
      id('tell'),
      {
        type: 'webhook',
        url: 'https://hooks.acme.test/',
        body: { user: '${user.identifier}' },
        next,
      },
    ],
  ];
}

function card(id: string, next: string): Blocks[number] {
  return [
    id,
    {
      type: 'card',
      fields: { title: 'A card', body: 'It leads on.' },
      paths: { 'complete,dismiss': next },
    },
  ];
}

function withNamedUids(definition: FlowDefinition): FlowDefinition {
  const uid = (id: string): string => `${definition.flow}-${id}`;
  const blocks = definition.blocks.map((block) => {
    if (!('items' in block)) return { ...block, uid: uid(block.id) };
    return {
      ...block,
      uid: uid(block.id),
      items: block.items.map((item) => ({ ...item, uid: uid(item.id) })),
    };
  });
  return { ...definition, blocks };
}
