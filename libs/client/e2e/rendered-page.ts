import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { exampleFolder } from '@waymark/testing/browser';
import { build, type BuildOptions } from 'esbuild';
import type { WaymarkOptions } from '../src/index.js';

/** The same component on both sides. */
const PLAIN = `
  import { createElement as h, StrictMode, version } from 'react';
  import { createWaymark } from '@waymark/client';
  import { useBlock, WaymarkProvider } from '@waymark/client/react';
  function Plain() {
    const { active, complete } = useBlock('plain.one');
    return h('button', { onClick: complete }, active ? 'one' : 'gone');
  }
  const App = ({ client }) => h(StrictMode, null, h(WaymarkProvider, { client }, h(Plain)));
`;
const SERVER = `${PLAIN}
  import { renderToString } from 'react-dom/server';
  export { version };
  export const render = (options) => renderToString(h(App, { client: createWaymark({ ...options, WebSocket: null }) }));
`;
const BROWSER = `${PLAIN}
  import { hydrateRoot } from 'react-dom/client';
  const client = window.waymark = createWaymark(window.options);
  window.tick = (count) => { for (let n = 0; n < count; n++) void client.block('counter.tick').get().transition('tick'); };
  hydrateRoot(document.getElementById('root'), h(App, { client }));
`;
/** Where there is no page: says what it sees, and acts as soon as it can. */
const WORKER = `
  import { createWaymark } from '@waymark/client';
  onmessage = ({ data }) => {
    postMessage([typeof document, typeof localStorage, typeof WebSocket].join());
    const waymark = createWaymark({ ...data, onError: (error) => postMessage(String(error)) });
    waymark.block('plain.one').subscribe(({ active, complete }) => active && complete().then((done) => postMessage('done ' + done)));
    waymark.block('plain.two').subscribe(({ active }) => active && postMessage('two'));
    waymark.flow('plain').subscribe(({ stopped }) => stopped && postMessage('stopped'));
  };
`;

const bundle = async (contents: string, options: BuildOptions): Promise<string> => {
  const stdin = { contents, resolveDir: import.meta.dirname };
  const define = { 'process.env.NODE_ENV': '"development"' };
  const { outputFiles } = await build({
    stdin,
    define,
    bundle: true,
    write: false,
    format: 'esm',
    ...options,
  });
  return outputFiles![0]!.text;
};

/** The published package in a worker of a browser. */
export const buildWorker = (): Promise<string> => bundle(WORKER, {});

/**
 * A page that a server renders and a browser takes over, by the React that an example has
 * installed.
 */
export async function buildPage(example: string) {
  const installed = (name: string): string =>
    path.join(exampleFolder(example), 'node_modules', name);
  const alias = { react: installed('react'), 'react-dom': installed('react-dom') };
  const module = { exports: {} as { version: string; render(options: WaymarkOptions): string } };
  const server = await bundle(SERVER, { alias, format: 'cjs', platform: 'node' });
  compileFunction(server, ['module', 'require'])(module, createRequire(import.meta.url));
  return { ...module.exports, script: await bundle(BROWSER, { alias }) };
}
