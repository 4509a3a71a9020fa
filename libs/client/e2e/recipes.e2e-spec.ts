import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import { ClientFixture } from './client-fixture.js';

const flow = defineFlow({
  flow: 'onboarding',
  blocks: {
    welcome: (id) => ({
      ...card({ complete: 'finish' })(id),
      fields: [{ sid: 'title', type: 'string', value: 'Hello' }],
    }),
  },
});
let here: ClientFixture;
let folder: string;

beforeAll(async () => {
  here = await ClientFixture.open(flow);
  folder = await mkdtemp(path.join(import.meta.dirname, '../dist-recipes-'));
});
afterAll(async () => {
  await here.close();
  await rm(folder, { recursive: true });
});

/** The recipe as it stands in the docs. */
async function recipe(language: string, beginning: string): Promise<string> {
  const docs = await readFile(
    path.resolve(import.meta.dirname, '../../../docs/clients.md'),
    'utf8',
  );
  const blocks = [...docs.matchAll(/```(\w+)\n(.*?)```/gs)];
  return blocks.find(([, found, text]) => found === language && text!.startsWith(beginning))![2]!;
}
/** The module of a text, whose packages are those of the workspace. */
async function load<Module>(name: string, text: string): Promise<Module> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return (await import(pathToFileURL(file).href)) as Module;
}

test('the composable for Vue follows the block, and stops with its scope (C7)', async () => {
  const page = here.openPage(await here.newUser(), { flows: ['onboarding'] });
  type UseBlock = (
    waymark: typeof page,
    name: string,
  ) => { value: { active: boolean; complete(): Promise<boolean> } };
  const { useBlock } = await load<{ useBlock: UseBlock }>(
    'vue.mjs',
    await recipe('js', 'import { onScopeDispose'),
  );
  const { effectScope, watch } = await import('vue');
  const scope = effectScope();
  const seen: boolean[] = [];
  const view = scope.run(() => {
    const view = useBlock(page, 'onboarding.welcome');
    watch(view as never, ({ active }: { active: boolean }) => seen.push(active), { flush: 'sync' });
    return view;
  })!;
  await until(() => view.value.active);
  await view.value.complete();
  expect(view.value.active).toBe(false);
  scope.stop();
  expect(seen.slice(0, 2)).toEqual([true, false]);
});

test('in Svelte the stores are what they are: the component of the docs renders them (C7)', async () => {
  const page = here.openPage(await here.newUser(), { flows: ['onboarding'] });
  await page.ready;
  const source = await recipe('svelte', '<script>');
  const { js } = compile(source, { generate: 'server', filename: 'welcome.svelte' });
  (globalThis as { page?: unknown }).page = page;
  const { outputFiles } = await build({
    stdin: {
      contents: `${js.code.replace(/import \{ waymark \} from .*?;/, 'const waymark = globalThis.page;')}\nexport { render } from 'svelte/server';`,
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['svelte'],
  });
  type Rendering = { default: unknown; render(component: unknown): { body: string } };
  const module = await load<Rendering>('svelte.mjs', outputFiles[0]!.text);
  expect(module.render(module.default).body).toContain('<h2>Hello</h2>');
  await page.block('onboarding.welcome').get().complete();
  expect(module.render(module.default).body).not.toContain('Hello');
});
