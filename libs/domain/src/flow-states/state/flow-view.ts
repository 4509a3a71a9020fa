import {
  type BlockState,
  type CompiledFlow,
  type ExposedBlock,
  exposedBlocks,
  type FlowState,
  type Uid,
} from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';

/** A block as clients see it (B6). */
export interface BlockView {
  kind: 'block';
  type: ExposedBlock['type'];
  uid: Uid;
  sid: string;
  version: number;
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
  state: { started: boolean; stopped: boolean; finished: boolean };
  /** Of the state: 0 where there is none, raised by every step (B14). */
  revision: number;
  blocks?: BlockView[];
}

/** What of a version is shown. */
type Shown = Pick<ResolvedFlow, 'flow' | 'version' | 'compiled'>;
/** A state and how many steps made it. */
interface Numbered {
  readonly state: FlowState;
  readonly revision: number;
}
type WriteBlock = (state: BlockState) => string;

const NOTHING: BlockState = {};

/**
 * Writes flows and blocks of one version as the JSON that clients get. What the definition says is written once; a
 * state costs the joining of texts, so that an answer is bound by its bytes (P5).
 */
export class FlowJson {
  private readonly head: string;
  private readonly blocks = new Map<Uid, { name: string; write: WriteBlock; untouched: string }>();

  constructor({ flow, version, compiled }: Shown) {
    const sid = JSON.stringify(flow);
    this.head = `{"kind":"flow","type":"flow","uid":${sid},"sid":${sid},"version":${version},"state":{"started":`;
    for (const block of exposedBlocks(compiled)) {
      const write = blockWriter(flow, version, block);
      const name = inOnePiece(`${JSON.stringify(block.uid)}:`);
      this.blocks.set(block.uid, { name, write, untouched: inOnePiece(write(NOTHING)) });
    }
  }

  /** A Flow, with its blocks in the order of the definition where they are asked for (B5, B8, B14). */
  flow({ state: { started, stopped, finished, blocks }, revision }: Numbered, withBlocks: boolean): string {
    const flags = `${this.head}${started},"stopped":${stopped},"finished":${finished}},"revision":${revision}`;
    if (!withBlocks) return `${flags}}`;
    let text = '';
    for (const [uid, { write, untouched }] of this.blocks) {
      const state = Object.hasOwn(blocks, uid) ? blocks[uid] : undefined;
      text += `${text === '' ? '' : ','}${state ? write(state) : untouched}`;
    }
    return `${flags},"blocks":[${text}]}`;
  }

  /** Blocks by uid, of those that are wanted (L4, L5). */
  blocksByUid({ blocks }: FlowState, isWanted: (uid: Uid) => boolean): string {
    let text = '';
    for (const [uid, { name, write, untouched }] of this.blocks) {
      if (!isWanted(uid)) continue;
      const state = Object.hasOwn(blocks, uid) ? blocks[uid] : undefined;
      text += `${text === '' ? '' : ','}${name}${state ? write(state) : untouched}`;
    }
    return `{${text}}`;
  }

  /** A Block (B6); the uid must be one of an exposed block. */
  block({ blocks }: FlowState, uid: Uid): string {
    const known = this.blocks.get(uid);
    if (!known) throw new RangeError(`no exposed block has the uid ${uid}`);
    return known.write((Object.hasOwn(blocks, uid) && blocks[uid]) || NOTHING);
  }
}

/** JavaScript remembers what a text was joined of, and goes through all of that again for each answer that it is part of. */
const inOnePiece = (text: string): string => Buffer.from(text).toString();

function blockWriter(flow: string, version: number, block: ExposedBlock): WriteBlock {
  const { type, uid, names, fields } = block;
  const sid = `${flow}.${block.id}`;
  const head = `{"kind":"block","type":"${type}","uid":${JSON.stringify(uid)},"sid":${JSON.stringify(sid)},"version":${version},"state":{"active":`;
  const container = block.kind === 'item' ? `,"containerUid":${JSON.stringify(block.containerUid)}` : '';
  const tail = `},"fields":${JSON.stringify(fields)}${container}}`;
  const keys = names.map((name, index) => [name, `${index === 0 ? '' : ','}${JSON.stringify(name)}:`] as const);
  return ({ active = false, entered = false, exited = false, transitioned = [] }) => {
    let taken = '';
    for (const [name, key] of keys) taken += `${key}${transitioned.includes(name)}`;
    return `${head}${active},"entered":${entered},"exited":${exited}},"transitioned":{${taken}${tail}`;
  };
}

const texts = new WeakMap<CompiledFlow, FlowJson>();

/** The texts of a version, made at its first use and kept as long as the compiled flow is. */
export function flowJson(flow: Shown): FlowJson {
  let known = texts.get(flow.compiled);
  if (!known) texts.set(flow.compiled, (known = new FlowJson(flow)));
  return known;
}

/** The very object that clients get as JSON. */
export const flowView = (flow: Shown, state: Numbered, withBlocks = false): FlowView =>
  JSON.parse(flowJson(flow).flow(state, withBlocks)) as FlowView;
