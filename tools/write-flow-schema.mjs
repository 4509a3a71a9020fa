// Writes examples/flow.schema.json, which editors check flow files with. Run it when the format of flow files changes.
import { writeFileSync } from 'node:fs';
import { flowFileSchema } from '@waymark/domain/flow-files';
import { format, resolveConfig } from 'prettier';

const file = new URL('../examples/flow.schema.json', import.meta.url).pathname;
const options = await resolveConfig(file);
writeFileSync(file, await format(JSON.stringify(flowFileSchema()), { ...options, parser: 'json' }));
