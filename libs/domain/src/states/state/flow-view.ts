import {
  type AttentionRule,
  type BlockState,
  type ExposedBlock,
  exposedBlocks,
  type Field,
  type FlowState,
  type InsertedValues,
  translationOf,
  type Uid,
} from '../../engine/index.js';
import {
  type Fill,
  filler,
  type InsertionRoom,
  isPersonal,
  NO_FILL,
  personalJson,
} from './personal-json.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';

/** A block as clients see it (B6). */
export interface BlockView {
  kind: 'block';
  type: ExposedBlock['type'];
  uid: Uid;
  sid: string;
  version: number;
  /** Of its texts, where the flow has several (X2). */
  language?: string;
  state: { active: boolean; entered: boolean; exited: boolean };
  transitioned: Record<string, boolean>;
  fields: ExposedBlock['fields'];
  containerUid?: Uid;
}

/** A flow as clients see it (B5). */
export interface FlowView {
  kind: 'flow';
  type: 'flow';
  uid: string;
  sid: string;
  version: number;
  /** Of its texts, where it has several (X2). */
  language?: string;
  state: { started: boolean; stopped: boolean; finished: boolean };
  /** Of the state: 0 where there is none, raised by every step (B14). */
  revision: number;
  /** Of a flow that would have started by itself (Q5). */
  waits?: WaitView;
  blocks?: BlockView[];
}

/**
 * Which rule of which group lets a flow wait; until when, and for how many seconds, where time
 * alone helps (Q5).
 */
export interface WaitView {
  group: string;
  rule: AttentionRule;
  until?: string;
  seconds?: number;
}

/** What of a version is shown. */
export type ShownVersion = Pick<ResolvedFlow, 'flow' | 'version' | 'compiled'>;
/** As `WaitView`, with the time that it is, both in milliseconds. */
export interface FlowWait {
  readonly group: string;
  readonly rule: AttentionRule;
  readonly until?: number;
  readonly now: number;
}

/** A state and how many steps made it. */
export interface NumberedState {
  readonly state: FlowState;
  readonly revision: number;
  readonly waits?: FlowWait;
  /** What texts show of the user; without it, the words for who has nothing (Z5). */
  readonly inserted?: InsertedValues;
}
type WriteBlock = (state: BlockState, fill: Fill) => string;

const NOTHING: BlockState = {};

type ShownState = Pick<NumberedState, 'state' | 'inserted'>;

/**
 * Writes flows and blocks of one version as the JSON that clients get. What the definition says is
 * written once; a state costs the joining of texts, so that an answer is bound by its bytes (P5).
 */
export class FlowJson {
  /** Of its texts, about as much as they take of memory. */
  readonly characters: number;
  private readonly head: string;
  private readonly blocks = new Map<
    Uid,
    {
      readonly name: string;
      readonly write: WriteBlock;
      /** Undefined for a block whose texts show something of its user. */
      readonly untouched: string | undefined;
    }
  >();

  constructor(
    { flow, version, compiled }: ShownVersion,
    /** Of the texts; undefined for a flow in one language only (X2). */
    readonly language?: string,
  ) {
    const sid = JSON.stringify(flow);
    const common = `"version":${version}${language === undefined ? '' : `,"language":${JSON.stringify(language)}`}`;
    this.head = `{"kind":"flow","type":"flow","uid":${sid},"sid":${sid},${common},"state":{"started":`;
    const translate =
      language === undefined ? undefined : translationOf(compiled.definition, language);
    let characters = 0;
    for (const block of exposedBlocks(compiled)) {
      const fields = translate?.(block.id, block.fields) ?? block.fields;
      const write = blockWriter(flow, common, block, fields);
      const name = inOnePiece(`${JSON.stringify(block.uid)}:`);
      const text = write(NOTHING, NO_FILL);
      characters += text.length;
      const untouched = isPersonal(fields) ? undefined : inOnePiece(text);
      this.blocks.set(block.uid, { name, write, untouched });
    }
    this.characters = characters;
  }

  /**
   * A Flow, with its blocks in the order of the definition where they are requested (B5, B8, B14);
   * what texts insert takes of `room`.
   */
  flow(
    { state: { started, stopped, finished, blocks }, revision, waits, inserted }: NumberedState,
    withBlocks: boolean,
    room?: InsertionRoom,
  ): string {
    const flags = `${this.head}${started},"stopped":${stopped},"finished":${finished}},"revision":${revision}${waits ? waitJson(waits) : ''}`;
    if (!withBlocks) return `${flags}}`;
    const fill = filler(inserted, room);
    let text = '';
    for (const [uid, { write, untouched }] of this.blocks) {
      const state = Object.hasOwn(blocks, uid) ? blocks[uid] : undefined;
      text += `${text === '' ? '' : ','}${state ? write(state, fill) : (untouched ?? write(NOTHING, fill))}`;
    }
    return `${flags},"blocks":[${text}]}`;
  }

  /** Blocks by uid, of those that are wanted (L4, L5). */
  blocksByUid(
    { state: { blocks }, inserted }: ShownState,
    isWanted: (uid: Uid) => boolean,
  ): string {
    const fill = filler(inserted);
    let text = '';
    for (const [uid, { name, write, untouched }] of this.blocks) {
      if (!isWanted(uid)) continue;
      const state = Object.hasOwn(blocks, uid) ? blocks[uid] : undefined;
      text += `${text === '' ? '' : ','}${name}${state ? write(state, fill) : (untouched ?? write(NOTHING, fill))}`;
    }
    return `{${text}}`;
  }

  /** A Block (B6); the uid must be one of an exposed block. */
  block({ state: { blocks }, inserted }: ShownState, uid: Uid): string {
    const known = this.blocks.get(uid);
    if (!known) throw new RangeError(`no exposed block has the uid ${uid}`);
    return known.write((Object.hasOwn(blocks, uid) && blocks[uid]) || NOTHING, filler(inserted));
  }
}

/**
 * JavaScript remembers what a text was joined of, and goes through all of that again for each
 * answer that it is part of.
 */
const inOnePiece = (text: string): string => Buffer.from(text).toString();

function waitJson({ group, rule, until, now }: FlowWait): string {
  const wait: WaitView = { group, rule };
  if (until !== undefined)
    Object.assign(wait, {
      until: new Date(until).toISOString(),
      seconds: Math.ceil((until - now) / 1_000),
    });
  return `,"waits":${JSON.stringify(wait)}`;
}

/** The same for every user and state, but for texts that show something of the user. */
function tailWriter(fields: readonly Field[], end: string): string | ((fill: Fill) => string) {
  if (!isPersonal(fields)) return `},"fields":${JSON.stringify(fields)}${end}`;
  const pieces = personalJson(fields);
  return (fill) =>
    `},"fields":${pieces.map((piece) => (typeof piece === 'string' ? piece : fill(piece))).join('')}${end}`;
}

function blockWriter(
  flow: string,
  common: string,
  block: ExposedBlock,
  fields: readonly Field[],
): WriteBlock {
  const { type, uid, names } = block;
  const sid = `${flow}.${block.id}`;
  const head = `{"kind":"block","type":"${type}","uid":${JSON.stringify(uid)},"sid":${JSON.stringify(sid)},${common},"state":{"active":`;
  const container =
    block.kind === 'item' ? `,"containerUid":${JSON.stringify(block.containerUid)}` : '';
  const tail = tailWriter(fields, `${container}}`);
  const keys = names.map(
    (name, index) => [name, `${index === 0 ? '' : ','}${JSON.stringify(name)}:`] as const,
  );
  return ({ active = false, entered = false, exited = false, transitioned = [] }, fill) => {
    let taken = '';
    for (const [name, key] of keys) taken += `${key}${transitioned.includes(name)}`;
    return `${head}${active},"entered":${entered},"exited":${exited}},"transitioned":{${taken}${typeof tail === 'string' ? tail : tail(fill)}`;
  };
}
