import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = 'docs/deploy';
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const operations = readFileSync('docs/operations.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const settings = [...operations.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);

interface Container {
  name: string;
  image: string;
  env: { name: string }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels: object } & object;
    template: { metadata: { labels: object }; spec: { containers: [Container]; terminationGracePeriodSeconds?: number } };
    ports: { targetPort: string }[];
  };
}

describe('kubernetes.yaml', () => {
  const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as Manifest);
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const containers = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec.containers[0]);

  test('runs images of this release, with settings that there are', () => {
    for (const { name, image, env } of containers) {
      expect(image).toBe(`registry.example.com/waymark/${name === 'migrate' ? 'waymark' : name}:${version}`);
      for (const setting of env) expect(settings).toContain(setting.name);
    }
    expect(containers).toHaveLength(3);
  });

  test('leads from services to the ports of their deployments, and asks for health where it is answered', () => {
    for (const { metadata, spec } of ofKind('Deployment')) {
      const [{ ports, env, readinessProbe, livenessProbe }] = spec.template.spec.containers;
      const service = ofKind('Service').find((one) => one.metadata.name === metadata.name)!;
      expect(service.spec.selector).toEqual(spec.template.metadata.labels);
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
      expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
      expect(ports!.find(({ name }) => name === 'http')!.containerPort).toBe(
        Number((env as unknown as { name: string; value: string }[]).find(({ name }) => name === 'PORT')!.value),
      );
      expect([readinessProbe!.httpGet, livenessProbe!.httpGet]).toEqual([
        { path: '/health/ready', port: 'http' },
        { path: '/health/live', port: 'http' },
      ]);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(12);
    }
  });
});

test('compose.replicas.yaml scales services that docker-compose.yml has, which give up their port of the machine', () => {
  const customTags = [{ tag: '!reset', collection: 'seq' as const }];
  const { services } = parse(read('compose.replicas.yaml'), { customTags }) as { services: Record<string, { ports: unknown }> };
  const base = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as { services: object };
  const { proxy, ...scaled } = services;
  expect(Object.keys(base.services)).toEqual(expect.arrayContaining(Object.keys(scaled)));
  expect(read('compose.replicas.yaml').match(/ports: !reset \[\]/g)).toHaveLength(2);
  expect(proxy).toBeDefined();
});

const hasNginx = spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0;
const testWithNginx = hasNginx ? test : test.skip;
if (!hasNginx) process.stderr.write('docs/deploy/*.conf are not checked, they need nginx and openssl\n');

testWithNginx.each(readdirSync(FOLDER).filter((file) => file.endsWith('.conf')))('nginx takes %s', (file) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-nginx-'));
  const subject = ['-nodes', '-keyout', 'waymark-key.pem', '-out', 'waymark.pem', '-days', '1', '-subj', '/CN=example.com'];
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject], { cwd: folder });
  copyFileSync(path.join(FOLDER, file), path.join(folder, file));
  const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', file, '-g', 'pid n.pid; error_log stderr;'], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
});
