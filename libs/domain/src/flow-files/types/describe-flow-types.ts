import {
  type BlockDraft,
  type Field,
  type FieldType,
  type FlowDraft,
  isLogic,
  type ItemDraft,
  transitionNames,
} from '../../engine/index.js';

/** What is declared of a flow: a draft of a file, or a definition that is stored. */
export type TypedFlow = Pick<FlowDraft, 'flow'> & {
  readonly blocks: readonly (BlockDraft | Omit<BlockDraft, 'was'>)[];
};
type Part = {
  id: string;
  type: BlockDraft['type'] | ItemDraft['type'];
  fields: readonly Field[];
  items?: readonly ItemDraft[];
};

const HEAD = `// Made by \`waymark types\` from the flows: run it again when they change.
import type { RichText } from '@waymark/client';

declare module '@waymark/client' {
  interface Flows {`;
const VALUES: Readonly<Record<FieldType, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  richText: 'RichText',
};

/**
 * The text of a `.d.ts` that gives `@waymark/client` the types of flows: blocks with their types,
 * items and transitions, and fields with theirs, in the order of the definitions. The same flows
 * give the same text (C6).
 */
export const describeFlowTypes = (
  flows: readonly TypedFlow[],
): string => `${[HEAD, ...flows.map(describeFlow)].join('\n')}
  }
}
`;

/**
 * Cached, because a flow takes long to describe and anybody with a public key may request it
 * repeatedly (R13).
 */
const described = new WeakMap<TypedFlow, string>();

function describeFlow(flow: TypedFlow): string {
  const text = described.get(flow) ?? linesOf(flow).join('\n');
  described.set(flow, text);
  return text;
}

function linesOf({ flow, blocks }: TypedFlow): string[] {
  const parts = (blocks as readonly Part[]).filter(
    ({ type }) => !isLogic(type as BlockDraft['type']),
  );
  return [
    `    ${key(flow)}: {`,
    ...parts.flatMap((block) => [block, ...(block.items ?? [])]).flatMap(describeBlock),
    '    };',
  ];
}

function describeBlock(block: Part): string[] {
  const { id, type, fields, items } = block;
  return [
    `      ${key(id)}: {`,
    `        type: ${quote(type)};`,
    `        transitions: ${union(transitionNames(block as Parameters<typeof transitionNames>[0]))};`,
    ...(fields.length === 0
      ? ['        fields: {};']
      : ['        fields: {', ...fields.map(describeField), '        };']),
    ...(items ? [`        items: ${union(items.map((item) => item.id))};`] : []),
    '      };',
  ];
}

const describeField = ({ sid, type, value }: Field): string =>
  `          ${key(sid)}: ${value === null ? `${VALUES[type]} | null` : VALUES[type]};`;

const union = (names: readonly string[]): string =>
  names.length > 0 ? names.map(quote).join(' | ') : 'never';

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** In single quotes, with whatever JSON escapes. */
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
