import { describe, expect, test } from '@jest/globals';
import type { FlowDefinition } from '@waymark/domain/engine';
import { custom, defineFlow, modal, tour, webhook } from '@waymark/testing/builders';
import { fc } from '@waymark/testing/properties';
import { largeFlow, loadSampleFlow, SAMPLE_FLOWS } from '@waymark/testing/sample-flows';
import { drawFlow, type GraphFormat, pictureKey } from './index.js';
import { graphOf } from './graph/flow-graph.js';
import { layOut } from './svg/layout.js';
import type { Point } from './svg/placement.js';

const GRAPH_FORMATS: readonly GraphFormat[] = ['svg', 'mermaid', 'dot'];

const { EMPTY_STATE } = await import('@waymark/domain/engine');

/** What a reader of the picture has to find in it. */
function wordsOf({ blocks }: FlowDefinition): string[] {
  const items = blocks.flatMap((block) =>
    'items' in block ? block.items.map(({ id }) => id) : [],
  );
  const named = blocks.filter(({ type }) => !['gate', 'webhook', 'flow-trigger'].includes(type));
  return [
    ...blocks.map(({ id }) => id),
    ...items,
    ...named.flatMap(({ paths }) => paths.flatMap(({ names }) => names)),
  ];
}

const HOSTILE = '"]\n<script>alert(1)</script> & `#quot;` \\n %%{init}%% -->\u0007';
const hostile = defineFlow({
  flow: 'hostile',
  target: { users: 'matching', when: HOSTILE },
  blocks: {
    end: custom({ 'end,subgraph': 'end', click: 'finish' }, [
      { sid: 'title', type: 'string', value: HOSTILE },
    ]),
    graph: tour(['style', 'class']),
    n0: webhook('finish', { url: `https://a.test/${HOSTILE}` }),
  },
});

/** Modals that lead to each other, to themselves and to the finish in every way. */
function tangledFlows(): fc.Arbitrary<FlowDefinition> {
  const ids = ['b0', 'b1', 'b2', 'b3', 'b4', 'b5'];
  const target = fc.constantFrom(...ids, 'finish');
  const type = fc.constantFrom(modal, (paths: Record<string, string>) =>
    tour(['i1', 'i2', 'i3', 'i4', 'i5', 'i6'], paths),
  );
  const block = fc
    .tuple(type, fc.record({ complete: target, dismiss: target }))
    .map(([make, paths]) => make(paths));
  return fc
    .record({
      start: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }),
      blocks: fc.tuple(...ids.map(() => block)),
    })
    .map(({ start, blocks }) =>
      defineFlow({ start, blocks: Object.fromEntries(ids.map((id, i) => [id, blocks[i]!])) }),
    );
}

/** Points that the curve through these passes, as it is drawn: upright at each of them. */
function curvePoints(points: readonly Point[]): Point[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index]!;
    return [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((t) => {
      const [head, tail] = [(1 - t) ** 3 + 3 * (1 - t) ** 2 * t, t ** 3 + 3 * t ** 2 * (1 - t)];
      const [ends, middle] = [
        (1 - t) ** 3 * from.y + t ** 3 * to.y,
        (3 * t * (1 - t) * (from.y + to.y)) / 2,
      ];
      return { x: head * from.x + tail * to.x, y: ends + middle };
    });
  });
}

function isWithin({ x, y }: Point, box: Point & { width: number; height: number }): boolean {
  return 2 * Math.abs(x - box.x) < box.width - 2 && 2 * Math.abs(y - box.y) < box.height - 2;
}

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
  expect(drawFlow(loadSampleFlow('onboarding'), format, { version: 0 })).toContain(
    'version 0, not committed',
  );
});

describe('the SVG picture', () => {
  test.each([...SAMPLE_FLOWS.map((name) => loadSampleFlow(name)), hostile])(
    'of $flow is well-formed',
    (definition) => {
      const open: string[] = [];
      const svg = drawFlow(definition, 'svg', { state: EMPTY_STATE });
      expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
      for (const [, close, name, alone] of svg.matchAll(
        /<(\/?)([a-z]+)(?: [a-zA-Z-]+="[^"<>]*")*(\/?)>/g,
      )) {
        if (close) expect(open.pop()).toBe(name);
        else if (!alone) open.push(name!);
      }
      expect(open).toEqual([]);
    },
  );

  test.each([...SAMPLE_FLOWS.map((name) => loadSampleFlow(name)), largeFlow(60)])(
    'of $flow has no box or label upon another',
    (definition) => {
      const { boxes, edges } = layOut(graphOf(definition));
      const labels = edges.map(({ label }) => label).filter(({ lines }) => lines.length > 0);
      const all: (Point & { width: number; height: number })[] = [...boxes, ...labels];
      const overlapping = all.flatMap((a, index) =>
        all
          .slice(index + 1)
          .filter(
            (b) =>
              2 * Math.abs(a.x - b.x) < a.width + b.width &&
              2 * Math.abs(a.y - b.y) < a.height + b.height,
          ),
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
        const [x, y] = [
          Math.abs(end.x - box.x) / (box.width / 2),
          Math.abs(end.y - box.y) / (box.height / 2),
        ];
        const distance = { branch: x + y, start: Math.hypot(x, y), finish: Math.hypot(x, y) }[
          box.node.kind as string
        ];
        expect(distance ?? Math.max(x, y)).toBeCloseTo(1);
      }
    }
  });

  test('has room for the path of a block to itself, beside the block', () => {
    const { boxes, edges, bounds } = layOut(
      graphOf(defineFlow({ blocks: { a: custom({ again: 'a' }) } })),
    );
    const [box, loop] = [
      boxes.find(({ key }) => key === 'a')!,
      edges.find(({ isLoop }) => isLoop)!,
    ];
    expect(box.x - box.width / 2).toBeGreaterThanOrEqual(bounds.left);
    expect(loop.label.x + loop.label.width / 2).toBeLessThanOrEqual(bounds.left + bounds.width);
    expect(loop.label.x - loop.label.width / 2).toBeGreaterThan(box.x + box.width / 2);
  });

  test('has all of its edges within its borders, those too that lead around every box', () => {
    fc.assert(
      fc.property(tangledFlows(), (definition) => {
        const svg = drawFlow(definition, 'svg');
        const [width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1).map(Number) as [
          number,
          number,
        ];
        const [x, y] = /translate\(([-\d]+) ([-\d]+)\)/.exec(svg)!.slice(1).map(Number) as [
          number,
          number,
        ];
        for (const [, path] of svg.matchAll(/<path d="(M[^"]*)" fill="none" stroke="#8692a6"/g)) {
          const numbers = path!.match(/-?[\d.]+/g)!.map(Number);
          const [across, down] = [
            numbers.filter((_, i) => i % 2 === 0),
            numbers.filter((_, i) => i % 2 === 1),
          ];
          expect([Math.min(...across) + x, Math.min(...down) + y].every((edge) => edge >= 0)).toBe(
            true,
          );
          expect(
            [width - Math.max(...across) - x, height - Math.max(...down) - y].every(
              (edge) => edge >= 0,
            ),
          ).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('leads no edge through a box that it has nothing to do with, however high', () => {
    fc.assert(
      fc.property(tangledFlows(), (definition) => {
        const { boxes, edges } = layOut(graphOf(definition));
        const hidden = edges
          .filter(({ isLoop }) => !isLoop)
          .flatMap(({ from, to, points, edge }) =>
            boxes
              .filter(
                (box) =>
                  box !== from &&
                  box !== to &&
                  curvePoints(points).some((point) => isWithin(point, box)),
              )
              .map(({ key }) => `${edge.from} → ${edge.to} behind ${key}`),
          );
        expect(hidden).toEqual([]);
      }),
    );
  });

  test('of a flow whose paths lead everywhere is refused with what to do instead, and soon', () => {
    const ids = Array.from({ length: 999 }, (_, index) => `b${index}`);
    const to = (index: number, step: number) => ids[(index * step + 7 * step) % ids.length]!;
    const paths = (_: string, index: number) =>
      custom({ a: to(index, 2), b: to(index, 31), c: to(index, 173), d: to(index, 5) });
    const dense = defineFlow({
      blocks: Object.fromEntries(ids.map((id, index) => [id, paths(id, index)])),
    });
    expect(() => drawFlow(dense, 'svg')).toThrow('--format dot and --format mermaid');
    expect(drawFlow(dense, 'dot')).toContain('digraph');
  });

  test('for a page that has name and summary already has neither, and is no wider than its boxes', () => {
    const flow = loadSampleFlow('announcement');
    const widthOf = (svg: string) => Number(/width="(\d+)"/.exec(svg)![1]);
    const [whole, bare] = [drawFlow(flow, 'svg'), drawFlow(flow, 'svg', { isBare: true })];
    expect(whole).toMatch(/>Dark mode is here<.*for all users/s);
    expect(bare).not.toMatch(/font-size="19"|for all users/);
    expect(widthOf(bare)).toBeLessThan(widthOf(whole));
  });

  test('is the same whatever was drawn before it, and has the texts of its own flow', () => {
    const named = (title: string) =>
      defineFlow({
        blocks: { a: custom({ done: 'finish' }, [{ sid: 'title', type: 'string', value: title }]) },
      });
    const others = [...SAMPLE_FLOWS.map((name) => loadSampleFlow(name)), largeFlow(30)];
    const [one, two] = [drawFlow(named('One'), 'svg'), drawFlow(named('Two'), 'svg')];
    expect(two).toBe(one.replaceAll('One', 'Two'));
    for (const other of others) drawFlow(other, 'svg');
    expect(drawFlow(named('One'), 'svg')).toBe(one);
  });

  test('has a key that it shares with pictures that are the same, and with no others (T9)', () => {
    const named = (title: string, body = '') => {
      const fields = [
        { sid: 'title', type: 'string' as const, value: title },
        { sid: 'body', type: 'string' as const, value: body },
      ];
      return defineFlow({ blocks: { a: custom({ done: 'finish' }, fields) } });
    };
    const kinds = [{}, { isBare: true }, { state: EMPTY_STATE }, { version: 1 }];
    const all = [named('One'), named('One', 'More'), named('Two'), largeFlow(10)].flatMap(
      (definition) =>
        kinds.map((options) => ({
          key: pictureKey(definition, options),
          svg: drawFlow(definition, 'svg', options),
        })),
    );
    for (const one of all)
      for (const other of all) expect(one.key === other.key).toBe(one.svg === other.svg);
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
