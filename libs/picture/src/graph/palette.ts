import type { GraphNode, BlockStatus } from './flow-graph.js';

interface Colours {
  fill: string;
  line: string;
}

/** Fill and line of each status, dark text readable on all of them. */
export const STATUS_COLOURS: Readonly<Record<BlockStatus, Colours>> = {
  active: { fill: '#c8f2d8', line: '#12934f' },
  exited: { fill: '#dbe7fb', line: '#5b82c9' },
  entered: { fill: '#eef0f4', line: '#8a94a6' },
  'not entered': { fill: '#ffffff', line: '#c6ccd6' },
  waiting: { fill: '#fdeec2', line: '#c68a09' },
  finished: { fill: '#d9ccf8', line: '#6d3fd1' },
  automatic: { fill: '#ffffff', line: '#7a8496' },
};

/** One colour for each kind, used where no state says otherwise. */
export const KINDS: Readonly<Record<GraphNode['kind'], string>> = {
  start: '#12934f',
  finish: '#3d4658',
  custom: '#0f8b8d',
  card: '#2f6fde',
  modal: '#7b4fe0',
  checklist: '#c2571a',
  tour: '#b83280',
  hints: '#8a6d00',
  branch: '#b7791f',
  split: '#a8326e',
  gate: '#3d4658',
  delay: '#8a5a00',
  webhook: '#55657e',
  'flow-trigger': '#55657e',
};

/** Colours of a node with a light fill, by status, else by kind. */
export function coloursOf({ kind, status }: GraphNode): Colours {
  return status ? STATUS_COLOURS[status] : { fill: '#ffffff', line: KINDS[kind] };
}

/** Start, finish and gate are dark where no state says otherwise. */
export function solidColoursOf({ kind, status }: GraphNode): Colours & { ink: string } {
  if (status) return { ...STATUS_COLOURS[status], ink: INK };
  return { fill: KINDS[kind], line: KINDS[kind], ink: '#ffffff' };
}

export const PAPER = '#fbfcfe';
export const INK = '#1b2333';
export const FAINT_INK = '#5a6579';
export const EDGE = '#8692a6';
