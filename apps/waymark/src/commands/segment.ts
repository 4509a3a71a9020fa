import type { Command } from '../command-line/command.js';
import { table } from '../output/table.js';
import { addSharedFileCommand } from './shared-file.js';

export const addSegmentCommand = (program: Command): void =>
  addSharedFileCommand(program, {
    name: 'segment',
    description: 'conditions with a name, which other conditions mention (docs/flows.md)',
    what: 'segments',
    showDescription: 'the segments and the flows that mention them',
    diffDescription: 'what applying the file would add, change and remove, and for which flows',
    load: async () => (await import('@waymark/domain/flows')).SEGMENTS_FILE,
    show(texts, flows) {
      const segments = Object.entries(texts).map(([segment, condition]) => ({
        segment,
        condition,
        flows: flows.get(segment) ?? [],
      }));
      const rows = segments.map((one) => ({ ...one, flows: one.flows.join(', ') }));
      return Promise.resolve([{ segments }, table(rows, 'there are no segments')]);
    },
    describe: ({ flows }) =>
      flows.length > 0 ? [`flows that a new commit would change: ${flows.join(', ')}`] : [],
    // A misspelt property is no error (S31), and nobody would notice a condition that never holds.
    async findWarnings(manager, segments) {
      const { checkSegments } = await import('@waymark/domain/engine');
      const { loadSeenEvents, loadSeenProperties } = await import('@waymark/domain/users');
      const properties = await loadSeenProperties(manager);
      const events = await loadSeenEvents(manager);
      return checkSegments(segments, { properties, events }).map(
        ({ place, message }) => `segment ${JSON.stringify(place[0])}: ${message}`,
      );
    },
  });
