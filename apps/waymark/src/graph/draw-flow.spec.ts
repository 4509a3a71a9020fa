import { describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { custom, defineFlow, tour, webhook } from '@waymark/testing/builders';
import { largeFlow, loadSampleFlow, SAMPLE_FLOWS } from '@waymark/testing/sample-flows';
import { GRAPH_FORMATS } from './formats.js';
import { drawFlow } from './index.js';
import { graphOf } from './flow-graph.js';
import { layOut } from './svg/layout.js';
import type { Point } from './svg/placement.js';

const { EMPTY_STATE } = await import('@waymark/domain/engine');

/** What a reader of the picture has to find in it. */
function wordsOf({ blocks }: FlowDefinition): string[] {
  const items = blocks.flatMap((block) => ('items' in block ? block.items.map(({ id }) => id) : []));
  const named = blocks.filter(({ type }) => !['gate', 'webhook', 'flow-trigger'].includes(type));
  return [...blocks.map(({ id }) => id), ...items, ...named.flatMap(({ paths }) => paths.flatMap(({ names }) => names))];
}

const HOSTILE = '"]\n<script>alert(1)</script> & `#quot;` \\n %%{init}%% -->\u0007';
const hostile = defineFlow({
  flow: 'hostile',
  target: { users: 'matching', when: HOSTILE },
  blocks: {
    end: custom({ 'end,subgraph': 'end', click: 'finish' }, [{ sid: 'title', type: 'string', value: HOSTILE }]),
    graph: tour(['style', 'class']),
    n0: webhook('finish', { url: `https://a.test/${HOSTILE}` }),
  },
});

describe.each(GRAPH_FORMATS)('a flow drawn as %s', (format) => {
  test.each(SAMPLE_FLOWS)('shows every block, item and path name of %s', (name) => {
    const definition = loadSampleFlow(name);
    const picture = drawFlow(definition, format);
    for (const word of wordsOf(definition)) expect(picture).toContain(word);
  });

  test('shows texts of people as texts, whatever they hold', () => {
    const picture = drawFlow(hostile, format);
    expect(picture).not.toContain('<script');
    expect(picture).not.toContain('\u0007');
    expect(picture).toContain('script');
    for (const word of wordsOf(hostile)) expect(picture).toContain(word);
  });

  test('is coloured where a state is given, and not otherwise', () => {
    expect(drawFlow(loadSampleFlow('onboarding'), format)).not.toMatch(/not.entered/);
    expect(drawFlow(loadSampleFlow('onboarding'), format, { state: EMPTY_STATE })).not.toBe(
      drawFlow(loadSampleFlow('onboarding'), format),
    );
  });
});

test.each(GRAPH_FORMATS)('a flow drawn as %s says which version it is', (format) => {
  expect(drawFlow(loadSampleFlow('onboarding'), format, { version: 3 })).toContain('version 3');
  expect(drawFlow(loadSampleFlow('onboarding'), format, { version: 0 })).toContain('version 0, not committed');
});

describe('the SVG picture', () => {
  test.each([...SAMPLE_FLOWS.map((name) => loadSampleFlow(name)), hostile])('of $flow is well-formed', (definition) => {
    const open: string[] = [];
    const svg = drawFlow(definition, 'svg', { state: EMPTY_STATE });
    expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
    for (const [, close, name, alone] of svg.matchAll(/<(\/?)([a-z]+)(?: [a-zA-Z-]+="[^"<>]*")*(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!alone) open.push(name!);
    }
    expect(open).toEqual([]);
  });

  test.each([...SAMPLE_FLOWS.map((name) => loadSampleFlow(name)), largeFlow(60)])(
    'of $flow has no box or label upon another',
    (definition) => {
      const { boxes, edges } = layOut(graphOf(definition));
      const labels = edges.map(({ label }) => label).filter(({ lines }) => lines.length > 0);
      const all: (Point & { width: number; height: number })[] = [...boxes, ...labels];
      const overlapping = all.flatMap((a, index) =>
        all
          .slice(index + 1)
          .filter((b) => 2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height),
      );
      expect(overlapping).toEqual([]);
    },
  );

  test('has ends of edges on the outlines of their boxes: rectangles, diamonds and discs', () => {
    for (const { from, to, points } of layOut(graphOf(loadSampleFlow('onboarding'))).edges) {
      for (const [box, end] of [
        [from, points[0]!],
        [to, points.at(-1)!],
      ] as const) {
        const [x, y] = [Math.abs(end.x - box.x) / (box.width / 2), Math.abs(end.y - box.y) / (box.height / 2)];
        const distance = { branch: x + y, start: Math.hypot(x, y), finish: Math.hypot(x, y) }[box.node.kind as string];
        expect(distance ?? Math.max(x, y)).toBeCloseTo(1);
      }
    }
  });

  test('has room for the path of a block to itself, beside the block', () => {
    const { boxes, edges, width } = layOut(graphOf(defineFlow({ blocks: { a: custom({ again: 'a' }) } })));
    const [box, loop] = [boxes.find(({ key }) => key === 'a')!, edges.find(({ isLoop }) => isLoop)!];
    expect(box.x - box.width / 2).toBeGreaterThanOrEqual(0);
    expect(loop.label.x + loop.label.width / 2).toBeLessThanOrEqual(width);
    expect(loop.label.x - loop.label.width / 2).toBeGreaterThan(box.x + box.width / 2);
  });

  test('has a legend of the colours that it uses', () => {
    const svg = drawFlow(loadSampleFlow('announcement'), 'svg', { state: EMPTY_STATE });
    expect(svg).toContain('>not entered</text>');
    expect(svg).not.toContain('>active</text>');
  });

  test('of a flow as large as flows can be is drawn, at a size in proportion (S4)', () => {
    const svg = drawFlow(largeFlow(1000), 'svg');
    const small = drawFlow(largeFlow(100), 'svg');
    expect(svg.match(/data-block=/g)!.length).toBeGreaterThan(700);
    expect(svg.length).toBeLessThan(15 * small.length);
  });
});
