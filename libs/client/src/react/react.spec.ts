import { expect, test } from '@jest/globals';
import { createElement as h, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createWaymark, type FlowsAnswer, type RichText as Nodes, toText } from '../index.js';
import { RichText, useBlock, useFlow, WaymarkProvider } from './index.js';

const fields = [{ sid: 'title', value: 'Welcome' }];
const state = { active: true, entered: true, exited: false };
const block = {
  type: 'modal',
  uid: 'u',
  sid: 'onboarding.welcome',
  state,
  transitioned: { complete: false },
  fields,
};
const initial: FlowsAnswer = {
  flows: [
    {
      sid: 'onboarding',
      version: 3,
      revision: 1,
      state: { started: true, stopped: false, finished: false },
      blocks: [block],
    },
  ],
  unknown: [],
};

function Welcome() {
  const { active, fields, complete } = useBlock('onboarding.welcome');
  const { started } = useFlow('onboarding');
  return active ? h('button', { onClick: complete }, fields['title'], ' ', String(started)) : null;
}
const client = (given?: FlowsAnswer) =>
  createWaymark({
    url: 'http://127.0.0.1:9',
    key: 'blocks-x',
    user: 'ada',
    flows: ['onboarding'],
    initial: given,
    WebSocket: null,
  });
const renderAs = (given?: FlowsAnswer): string =>
  renderToString(h(StrictMode, null, h(WaymarkProvider, { client: client(given) }, h(Welcome))));

test('a server renders what it read, asks nothing while it does, and renders nothing where it read nothing (C7)', () => {
  expect(renderAs(initial)).toBe('<button>Welcome<!-- --> <!-- -->true</button>');
  expect(renderAs()).toBe('');
});

test('a hook outside of the provider says so (C7)', () => {
  expect(() => renderToString(h(Welcome))).toThrow('WaymarkProvider');
});

const show = (value: unknown): string => renderToString(h(RichText, { value: value as Nodes }));

test('rich text is elements and marks; texts and nothing are taken too (C7)', () => {
  const nodes: Nodes = [
    { type: 'heading-two', children: [{ text: 'Hello' }], align: 'center' },
    {
      type: 'paragraph',
      children: [{ text: 'a' }, { text: 'b', bold: true, italic: true }, { text: '<script>' }],
    },
    { type: 'bulleted-list', children: [{ type: 'list-item', children: [{ text: 'one' }] }] },
    { type: 'link', url: '/help', children: [{ text: 'help' }] },
  ];
  expect(show(nodes)).toBe(
    '<h2 style="text-align:center">Hello</h2><p>a<em><strong>b</strong></em>&lt;script&gt;</p><ul><li>one</li></ul>' +
      '<a href="/help">help</a>',
  );
  expect(toText(nodes)).toBe('Hello\nab<script>\none\nhelp');
  const image = {
    type: 'image',
    url: 'https://a.example/x.png',
    altText: 'x',
    width: '10',
    children: [{ text: '' }],
  };
  expect(show([image])).toContain('<img src="https://a.example/x.png" alt="x" width="10"/>');
  for (const value of [undefined, null, 'text', 7, {}])
    expect([show(value), toText(value as never)]).toBeDefined();
  expect(show('text')).toBe('text');
  expect([show(undefined), toText(null), toText({} as never)]).toEqual(['', '', '']);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  'filesystem:https://a.example/x',
  'intent://x#Intent;end',
  'http://[',
])('rich text leads nowhere that runs or reads: %j (C7)', (url) => {
  const children = [{ text: 'x' }];
  expect(show([{ type: 'link', url, children }])).toBe('<a>x</a>');
  expect(
    show([
      { type: 'image', url, children },
      { type: 'video', url, children },
    ]),
  ).toBe('');
});

test.each([
  'https://a.example/?q=1',
  'mailto:a@b.example',
  'tel:+123',
  '#here',
  '../x',
  '//a.example',
])('but to %s it does (C7)', (url) => {
  expect(show([{ type: 'link', url, children: [{ text: 'x' }] }])).toContain(`href="${url}"`);
});

test('rich text of a kind that nobody knows shows its text, and names of objects are no kinds (C7)', () => {
  for (const type of ['blink', 'script', 'constructor', '__proto__']) {
    expect(
      show([{ type, children: [{ text: 'x' }], dangerouslySetInnerHTML: { __html: '<b>' } }]),
    ).toBe('<span>x</span>');
  }
});
