import type { Block, Field, Item } from '@waymark/domain/engine';

/** What people know a block by: its title or first text, its condition, its address, what it triggers. */
export function describeBlock(block: Block | Item): string {
  switch (block.type) {
    case 'branch':
      return block.when;
    case 'gate':
      return 'waits for all that lead here';
    case 'webhook':
      return block.url.replace(/^https?:\/\//i, '');
    case 'flow-trigger':
      return `${block.intent} ${block.flow}${block.version === 'latest' ? '' : ` (version ${block.version})`}`;
    default:
      return firstText(block.fields);
  }
}

function firstText(fields: readonly Field[]): string {
  const titled = fields.find(({ sid, value }) => sid === 'title' && value !== null);
  // Labels have defaults, so they say nothing of this block.
  const text = titled ?? fields.find(({ sid, value }) => typeof value === 'string' && !sid.endsWith('-label'));
  return typeof text?.value === 'string' ? text.value : '';
}
