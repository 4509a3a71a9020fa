import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const FOLDER = 'docs/monitoring';
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const documented = [
  ...readFileSync('docs/reference.md', 'utf8').matchAll(/^\| `(waymark_\w+)`/gm),
].map(([, name]) => name!);
/** Metrics of Node itself and of Prometheus. */
const OTHERS = /^(process_|nodejs_|up$)/;
const PARTS_OF_HISTOGRAMS = /_(bucket|count|sum)$/;

interface Dashboard {
  panels: { title: string; targets: { expr: string; refId: string }[] }[];
}
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const { groups } = parse(read('alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
];

/**
 * Whatever stands before braces or a range, or is queried as a whole: labels and functions are
 * followed by something else.
 */
const metricsIn = (expression: string): string[] =>
  [
    ...expression
      .replace(/"[^"]*"/g, '""')
      .matchAll(/\b((?:waymark|process|nodejs)_\w+|up(?=\{))/g),
  ].map(([name]) => name);

describe('docs/monitoring', () => {
  test('names no metric that the services do not have', () => {
    const named = new Set(expressions.flatMap(metricsIn).filter((name) => !OTHERS.test(name)));
    expect(
      [...named].filter((name) => !documented.includes(name.replace(PARTS_OF_HISTOGRAMS, ''))),
    ).toEqual([]);
    expect(named.size).toBeGreaterThan(20);
    for (const expression of expressions) expect(metricsIn(expression)).not.toEqual([]);
  });

  test('has panels with names of their own, whose queries have letters of their own', () => {
    const titles = dashboard.panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { targets } of dashboard.panels)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  const testWithPromtool = hasPromtool ? test : test.skip;
  if (!hasPromtool)
    process.stderr.write('alerts are not run, they need promtool (apt-get install prometheus)\n');

  testWithPromtool('has alerts that promtool takes, and that fire when they should', () => {
    const run = (...args: string[]) =>
      spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    expect(run('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 });
    expect(run('check', 'config', '--syntax-only', 'prometheus.yaml')).toMatchObject({ status: 0 });
    expect(run('test', 'rules', 'alerts.test.yaml')).toMatchObject({ status: 0 });
  });

  testWithPromtool('has a dashboard whose queries Prometheus understands', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'waymark-dashboard-'));
    const rules = dashboard.panels.flatMap(({ targets }) =>
      targets.map(({ expr }, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll('$__rate_interval', '1m'),
      })),
    );
    await writeFile(
      path.join(folder, 'panels.yaml'),
      JSON.stringify({ groups: [{ name: 'panels', rules }] }),
    );
    const { status, stdout, stderr } = spawnSync(
      'promtool',
      ['check', 'rules', '--lint=none', 'panels.yaml'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    await rm(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${rules.length} rules found`);
  });
});
