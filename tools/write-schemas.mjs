// Writes examples/flow.schema.json, which editors check flow files with, and examples/event.schema.json, for receivers of
// events. Run it when the format of either changes.
import { writeFileSync } from 'node:fs';
import { EVENT_SCHEMA } from '@waymark/domain/event-log';
import { flowFileSchema } from '@waymark/domain/flow-files';
import { format, resolveConfig } from 'prettier';

const SCHEMAS = { flow: flowFileSchema(), event: EVENT_SCHEMA };
for (const [name, schema] of Object.entries(SCHEMAS)) {
  const file = new URL(`../examples/${name}.schema.json`, import.meta.url).pathname;
  const options = await resolveConfig(file);
  writeFileSync(file, await format(JSON.stringify(schema), { ...options, parser: 'json' }));
}
