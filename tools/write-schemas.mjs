// Writes examples/flow.schema.json, which editors check flow files with, and
// examples/event.schema.json, for receivers of events. Run it when the format of either changes.
import path from 'node:path';
import { EVENT_SCHEMA } from '@waymark/domain/events';
import { flowFileSchema } from '@waymark/domain/flow-files';
import { ROOT, writeWhole } from './write-file.mjs';

const SCHEMAS = { flow: flowFileSchema(), event: EVENT_SCHEMA };
for (const [name, schema] of Object.entries(SCHEMAS))
  await writeWhole(path.join(ROOT, `examples/${name}.schema.json`), JSON.stringify(schema));
