import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeFlowTypes } from '@waymark/domain/flow-files';
import ts from 'typescript';
import { checklist, custom, defineFlow, modal } from '@waymark/testing/builders';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Version 7; the test of what an editor completes uses version 6. */
const TSC = path.resolve(root, '../../node_modules/typescript-native/bin/tsc');
const onboarding = defineFlow({
  flow: 'onboarding',
  blocks: {
    welcome: (id) => ({
      ...modal({ complete: 'setup' })(id),
      fields: [
        { sid: 'title', type: 'string', value: 'Welcome' },
        { sid: 'body', type: 'richText', value: [] },
      ],
    }),
    setup: checklist(['invite', 'connect'], { complete: 'survey' }),
    survey: custom({ answered: 'finish', 'not now': 'finish' }, [
      { sid: 'max', type: 'number', value: 5 },
      { sid: 'thanks', type: 'string', value: null },
    ]),
  },
});

/**
 * Inside of the package, so that `@waymark/client` is found as an application finds it: by its
 * manifest, built.
 */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(root, 'dist-types-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** In a process of its own, with the compiler that applications use; what it says of the files. */
async function compile(files: Record<string, string>): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    jsx: 'react-jsx',
    types: [],
  };
  const manifest = {
    compilerOptions: { ...compilerOptions, lib: ['es2023', 'dom'] },
    files: Object.keys(files),
  };
  const texts = { ...files, 'tsconfig.json': JSON.stringify(manifest) };
  await Promise.all(
    Object.entries(texts).map(([name, text]) => writeFile(path.join(folder, name), text)),
  );
  const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? [] : stdout.trim().split('\n');
}

const page = `
import { createWaymark, toText } from '@waymark/client';
import { RichText, useBlock, useFlow, WaymarkProvider } from '@waymark/client/react';

export const waymark = createWaymark({ url: 'u', key: 'k', user: 'ada', flows: ['onboarding@3'] });
export function Welcome() {
  const { active, fields, complete, dismiss } = useBlock('onboarding.welcome');
  if (!active) return null;
  return (
    <dialog open aria-labelledby="welcome">
      <h2 id="welcome">{fields.title}</h2>
      <RichText value={fields.body} />
      <button onClick={complete}>{fields['complete-label']}</button>
      <button onClick={dismiss}>{fields['dismiss-label']}</button>
    </dialog>
  );
}
export const App = () => <WaymarkProvider client={waymark}><Welcome /></WaymarkProvider>;
`;

describe('types', () => {
  test('without a declaration all names are strings, and fields are anything (C6)', async () => {
    const loose = `${page}
      waymark.block('what.ever').get().transition('anything').then((tookEffect: boolean) => tookEffect);
      for (const item of waymark.block('a.list').get().items) item.skip(), item.fields.title;
      waymark.flow('tips').subscribe(({ started, blocks }) => started && blocks.length);
      export const text: string = toText(waymark.block('a.b').get().fields.body);
      export const useIt = () => useFlow('what').start({ force: true });
    `;
    expect(await compile({ 'loose.tsx': loose })).toEqual([]);
  });

  test('with it, what is misspelt or of another type does not compile (C6)', async () => {
    const strict = `${page.replace(/<button onClick.*<\/button>/g, '').replace('complete, dismiss', 'complete')}
      const welcome = waymark.block('onboarding.welcome').get();
      export const title: string | undefined = welcome.fields.title;
      if (welcome.active) toText(welcome.fields.body), welcome.fields.title.length;
      const survey = waymark.block('onboarding.survey').get();
      if (survey.active) survey.fields.max.toFixed();
      void survey.transition('answered', 'not now');
      const setup = waymark.block('onboarding.setup').get();
      for (const item of setup.items) void item.skip();
      export const name: 'onboarding.invite' | 'onboarding.connect' = setup.items[0]!.name;
      export const useIt = () => useFlow('onboarding').blocks.map(({ name }) => name);
      export const other = createWaymark({ url: 'u', key: 'k', user: 'a', flows: ['onboarding', 'onboarding@latest'] });

      // @ts-expect-error a misspelt block
      waymark.block('onboarding.welcom');
      // @ts-expect-error a misspelt flow
      waymark.flow('onbording');
      // @ts-expect-error a flow of the page that is not there
      createWaymark({ url: 'u', key: 'k', user: 'a', flows: ['tips'] });
      // @ts-expect-error a hook of a misspelt block
      export const useNothing = () => useBlock('onboarding.nothing');
      // @ts-expect-error a modal has no next
      void welcome.next();
      // @ts-expect-error a transition that the block does not have
      void survey.transition('anwsered');
      // @ts-expect-error a custom block completes by its own names only
      void survey.complete();
      // @ts-expect-error at least one name
      void survey.transition();
      // @ts-expect-error a misspelt field
      welcome.fields.titel;
      // @ts-expect-error a field may be missing before the block is active
      welcome.fields.title.length;
      // @ts-expect-error a number read as text
      if (survey.active) survey.fields.max.trim();
      // @ts-expect-error an emptied field
      if (survey.active) survey.fields.thanks.length;
      // @ts-expect-error items of a list have no next
      void setup.items[0]!.next();
      // @ts-expect-error views are not written to
      welcome.active = false;
    `;
    expect(
      await compile({ 'waymark.d.ts': describeFlowTypes([onboarding]), 'strict.tsx': strict }),
    ).toEqual([]);
  });

  test('a misspelt name is told by the line that names it, and by no other (C6)', async () => {
    const misspelt = `
import { createWaymark } from '@waymark/client';
import { useBlock, useFlow } from '@waymark/client/react';
const waymark = createWaymark({ url: 'u', key: 'k', user: 'ada', flows: ['onboarding'] });
export function Welcome() {
  const {
    active,
    complete,
    fields: { title },
  } = useBlock('onboarding.welcom');
  return active && <button onClick={complete}>{title}</button>;
}
export const Status = () => useFlow('onbording').language?.length;
waymark.block('onboarding.welcom').subscribe(({ active, complete }) => active && complete());
const welcome = waymark.block('onboarding.welcom').get();
void welcome.complete();
welcome.fields.title;
`;
    const told = await compile({
      'waymark.d.ts': describeFlowTypes([onboarding]),
      'misspelt.tsx': misspelt,
    });
    expect(told.map((line) => /\((\d+),.*Argument of type '"(.*?)"'/.exec(line)?.slice(1))).toEqual(
      [
        ['10', 'onboarding.welcom'],
        ['13', 'onbording'],
        ['14', 'onboarding.welcom'],
        ['15', 'onboarding.welcom'],
      ],
    );
  });

  test('four thousand blocks compile (C6)', async () => {
    const flows = Array.from({ length: 40 }, (_, flow) =>
      defineFlow({
        flow: `flow-${flow}`,
        blocks: Object.fromEntries(
          Array.from({ length: 100 }, (_, block) => [
            `block-${block}`,
            modal({ complete: 'finish' }),
          ]),
        ),
      }),
    );
    const text = `import { createWaymark } from '@waymark/client';
      const waymark = createWaymark({ url: 'u', key: 'k', user: 'a', flows: ['flow-1', 'flow-39@7'] });
      ${Array.from({ length: 100 }, (_, index) => `void waymark.block('flow-${index % 40}.block-${index}').get().complete();`).join('\n')}
      // @ts-expect-error one too many
      waymark.block('flow-39.block-100');`;
    expect(await compile({ 'waymark.d.ts': describeFlowTypes(flows), 'many.ts': text })).toEqual(
      [],
    );
  });

  test('an editor completes names of flows and blocks, fields and transitions, and nothing else (C6)', async () => {
    const text = `import { createWaymark } from '@waymark/client';
      import { useBlock } from '@waymark/client/react';
      const waymark = createWaymark({ url: 'u', key: 'k', user: 'ada', flows: ['onboarding'] });
      waymark.flow('/*flow*/');
      waymark.block('/*block*/');
      useBlock('/*hook*/');
      const survey = waymark.block('onboarding.survey').get();
      survey./*view*/;
      if (survey.active) survey.fields./*field*/;
      void survey.transition('/*transition*/');
      waymark.block('onboarding.invite').get()./*item*/;`;
    await writeFile(path.join(folder, 'waymark.d.ts'), describeFlowTypes([onboarding]));
    const blocks = ['welcome', 'setup', 'invite', 'connect', 'survey'].map(
      (block) => `onboarding.${block}`,
    );
    const completed = completionsOf('editor.tsx', text);
    expect(completed('flow')).toEqual(['onboarding']);
    expect(completed('block')).toEqual([...blocks].sort());
    expect(completed('hook')).toEqual([...blocks].sort());
    expect(completed('field')).toEqual(['max', 'thanks']);
    expect(completed('transition')).toEqual(['answered', 'not now']);
    const state = [
      'active',
      'entered',
      'exited',
      'fields',
      'items',
      'name',
      'transition',
      'transitioned',
      'type',
    ];
    expect(completed('view')).toEqual(state);
    expect(completed('item')).toEqual([...state, 'complete', 'skip'].sort());
  });
});

/** What the language service, which editors ask, offers at a mark in a text. */
function completionsOf(name: string, text: string): (mark: string) => string[] {
  const file = path.join(folder, name);
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    jsx: ts.JsxEmit.ReactJSX,
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file, path.join(folder, 'waymark.d.ts')],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (mark) => {
    const { entries = [] } =
      service.getCompletionsAtPosition(file, text.indexOf(`/*${mark}*/`), {}) ?? {};
    return entries.map((entry) => entry.name).sort();
  };
}
