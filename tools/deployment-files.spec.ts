import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkNginx, hasNginx } from '@waymark/testing/nginx';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = 'docs/deploy';
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');
const reference = readFileSync('docs/reference.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const settings = [...reference.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);

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
    template: {
      metadata: { labels: object };
      spec: { containers: [Container]; terminationGracePeriodSeconds?: number };
    };
    ports: { targetPort: string }[];
  };
}

describe('kubernetes.yaml', () => {
  const manifests = parseAllDocuments(read('kubernetes.yaml')).map(
    (document) => document.toJS() as Manifest,
  );
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const containers = [...ofKind('Deployment'), ...ofKind('Job')].map(
    ({ spec }) => spec.template.spec.containers[0],
  );

  test('runs images of this release, with settings that there are', () => {
    for (const { name, image, env } of containers) {
      expect(image).toBe(
        `registry.example.com/waymark/${name === 'migrate' ? 'waymark' : name}:${version}`,
      );
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
        Number(
          (env as unknown as { name: string; value: string }[]).find(({ name }) => name === 'PORT')!
            .value,
        ),
      );
      expect([readinessProbe!.httpGet, livenessProbe!.httpGet]).toEqual([
        { path: '/health/ready', port: 'http' },
        { path: '/health/live', port: 'http' },
      ]);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(12);
    }
  });

  test('leads from outside to blocks-api only', () => {
    const rules = ofKind('Ingress').flatMap(
      ({ spec }) => (spec as unknown as { rules: { host: string }[] }).rules,
    );
    expect(rules.map(({ host }) => host)).toEqual(['blocks.example.com']);
    expect(JSON.stringify(rules)).not.toContain('users-api');
  });
});

test('docker-compose.yml leaves the ports of the machine to the proxy, and compose.replicas.yaml puts TLS there', () => {
  const customTags = [{ tag: '!override', collection: 'seq' as const }];
  const { services } = parse(read('compose.replicas.yaml'), { customTags }) as {
    services: Record<string, { volumes: string[] }>;
  };
  const base = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, { ports?: string[]; volumes?: string[] }>;
  };
  const published = Object.keys(base.services).filter((name) => base.services[name]!.ports);
  expect(published.sort()).toEqual(['proxy', 'studio']);
  expect(Object.keys(services)).toEqual(['proxy']);
  const mounted = [...base.services['proxy']!.volumes!, ...services['proxy']!.volumes]
    .map((volume) => volume.split(':')[0]!)
    .filter((file) => /\.(conf|inc)$/.test(file));
  expect(mounted).toHaveLength(4);
  for (const file of mounted) expect(() => readFileSync(file)).not.toThrow();
});

const testWithNginx = hasNginx ? test : test.skip;
if (!hasNginx) process.stderr.write('docs/deploy/*.conf are not checked, they need nginx\n');

describe('the configurations of nginx', () => {
  const configurations = readdirSync(FOLDER).filter((file) => file.endsWith('.conf'));

  // The names of Compose lead nowhere here.
  testWithNginx.each(configurations)('nginx takes %s', async (file) => {
    const here = (text: string) => text.replace(/server (users|blocks)-api:/g, 'server 127.0.0.1:');
    expect(await checkNginx(file, here)).toEqual({
      status: 0,
      stderr: expect.stringContaining('test is successful'),
    });
  });

  test.each(configurations)('%s answers its own errors in JSON on every server (W2)', (file) => {
    const [, ...servers] = read(file).split(/^ {2}server \{$/m);
    expect(servers).toHaveLength(2);
    for (const server of servers) expect(server).toContain('include nginx.errors.inc;');
  });

  test.each(configurations.filter((file) => file !== 'nginx.local.conf'))(
    '%s lets nobody but this machine reach users-api until networks are put in',
    (file) => {
      const [users] = /server_name users\.example\.com;[^]*?location/.exec(read(file))!;
      const allowed = [...users.matchAll(/^ *allow (\S+);/gm)].map(([, network]) => network);
      expect(allowed).toEqual(file === 'nginx.conf' ? ['127.0.0.1'] : []);
      expect(users).toMatch(/^ *deny all;$/m);
    },
  );
});
