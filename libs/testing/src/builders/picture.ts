import type { FlowState } from '@waymark/domain/engine';

/**
 * A state in a form that is easy to read and to expect: flags that are true, and for each block or
 * gate that has anything, what it has. `{ flow: 'started', welcome: 'entered exited [complete]',
 * survey: 'active entered' }`
 */
export function pictureOf({
  started,
  stopped,
  finished,
  blocks,
  gates,
}: FlowState): Record<string, string> {
  const picture: Record<string, string> = { flow: words({ started, stopped, finished }) };
  for (const [uid, { active, entered, exited, transitioned }] of Object.entries(blocks)) {
    picture[idOf(uid)] = words({
      active,
      entered,
      exited,
      [`[${transitioned?.join(' ')}]`]: transitioned !== undefined,
    });
  }
  for (const [uid, received] of Object.entries(gates))
    picture[idOf(uid)] = `received ${received.map(idOf).join(' ')}`;
  return picture;
}

/** Identifiers of the active blocks and items, in alphabetical order. */
export function activeIn(state: FlowState): string[] {
  const active = Object.keys(state.blocks).filter((uid) => state.blocks[uid]?.active);
  return active.map(idOf).sort();
}

function words(flags: Record<string, boolean | undefined>): string {
  return Object.keys(flags)
    .filter((name) => flags[name])
    .join(' ');
}

function idOf(uid: string): string {
  return uid.replace(/^u-/, '');
}
