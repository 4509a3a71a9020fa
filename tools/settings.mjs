// Writes the settings of the services, as their classes describe them, into docs/reference.md and
// .env.example.
// Usage: node tools/build.mjs && node tools/settings.mjs
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT as root, writeWhole } from './write-file.mjs';

const { describeSettings, exampleSettings, listSettings, ServiceSettings } =
  await import('../libs/service-kit/dist/config/index.js');
const { UsersSettings } = await import('../dist/apps/users-api/modules/config/settings.js');
const { BlocksSettings } = await import('../dist/apps/blocks-api/modules/config/settings.js');
const { StudioSettings } = await import('../dist/apps/studio/modules/config/settings.js');

const both = listSettings(UsersSettings);
const more = listSettings(BlocksSettings, ServiceSettings).filter(({ name }) => name !== 'PORT');
const studio = listSettings(StudioSettings);
const ofStudio = studio.filter(
  ({ name }) => name !== 'PORT' && !both.some((setting) => setting.name === name),
);

const reference = path.join(root, 'docs/reference.md');
let text = await readFile(reference, 'utf8');
for (const [name, settings] of [
  ['users-api', both],
  ['blocks-api', more],
  ['studio', studio],
]) {
  const section = new RegExp(`(<!-- settings:${name} -->\\n)[^]*?(<!-- /settings -->)`);
  text = text.replace(
    section,
    (_, start, end) => `${start}\n${describeSettings(settings)}\n\n${end}`,
  );
}
await writeWhole(reference, text);

const head =
  '# Settings of Waymark: copy to .env and start a service with node --env-file=.env dist/apps/users-api/main.js';
await writeWhole(
  path.join(root, '.env.example'),
  `${head}\n\n${exampleSettings(both)}\n\n# also for blocks-api\n\n${exampleSettings(more)}\n\n# also for the studio\n\n${exampleSettings(ofStudio)}\n`,
);
