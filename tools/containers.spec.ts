import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The lines of one stage of the Dockerfile, by its name. */
const stages = new Map(
  read('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
    .map((text) => [/ AS (\S+)/.exec(text)?.[1] ?? '', text]),
);
const stage = (name: string): string => stages.get(name) ?? '';

const APPS = readdirSync(path.join(root, 'apps'));
/** The command and the studio share an image. */
const SERVICES = APPS.filter((app) => !['waymark', 'studio'].includes(app));

interface ComposeService {
  build?: { target: string };
  environment?: Record<string, unknown>;
  ports?: string[];
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };

describe('the Dockerfile', () => {
  test.each(SERVICES)('has a stage for %s that runs its bundle without root, and holds what belongs to it only', (app) => {
    expect(stage(app)).toMatch(/^node AS/);
    expect([...stage(app).matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied)).toEqual([
      `--from=build /app/package.json /app/dist/apps/${app}/main.js* /app/dist/apps/${app}/THIRD-PARTY.txt ./`,
      `--from=build /app/dist/apps/${app}/docs docs`,
    ]);
    expect(stage(app)).toContain('CMD ["node", "main.js"]');
    expect(stage(app)).toContain('USER node');
  });

  test('has a stage for waymark that runs the bundle without root, and the studio that it starts', () => {
    const [command, studio] = ['/app/dist/apps/waymark', '/app/dist/apps/studio'];
    expect(stage('waymark')).toMatch(/^node AS/);
    expect([...stage('waymark').matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied)).toEqual([
      '--from=build /app/package.json ./',
      `--from=build ${command}/*.js ${command}/*.js.map ${command}/THIRD-PARTY.txt dist/apps/waymark/`,
      `--from=build ${studio}/main.js* ${studio}/reader.js* ${studio}/THIRD-PARTY.txt dist/apps/studio/`,
      `--from=build ${studio}/pages dist/apps/studio/pages`,
      'apps/waymark/bin apps/waymark/bin',
    ]);
    expect(stage('waymark')).toContain('USER node');
  });

  test('knows every project of the workspace, so that npm ci finds what the lock file names', () => {
    const projects = ['libs', 'apps'].flatMap((kind) => readdirSync(path.join(root, kind)).map((name) => `${kind}/${name}`));
    for (const project of projects) expect(stage('workspace')).toContain(`COPY ${project}/package.json ${project}/`);
  });
});

describe('docker-compose.yml', () => {
  test('builds stages that the Dockerfile has', () => {
    const targets = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) expect(APPS).toContain(target);
  });

  test('gives each service a port of its own, the one it listens on', () => {
    for (const [app, port] of [
      ['users-api', 7070],
      ['blocks-api', 7071],
    ] as const) {
      const { environment, ports } = compose.services[app] ?? {};
      expect(environment?.['PORT']).toBe(port);
      expect(ports).toEqual([expect.stringMatching(new RegExp(`:${port}$`))]);
      expect(stage(app)).toContain(`EXPOSE ${port} `);
    }
  });

  test('has no password of its own: whoever starts it has to choose one', () => {
    const text = read('docker-compose.yml');
    const passwords = [...text.matchAll(/\$\{([A-Z_]*PASSWORD)([^}]*)\}/g)].map(([, name, rest]) => [name, rest?.slice(0, 2)]);
    expect(passwords.length).toBeGreaterThan(1);
    for (const password of passwords) expect(password).toEqual(['POSTGRES_PASSWORD', ':?']);
  });

  test('names only settings that .env.example describes', () => {
    const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    for (const { environment, build } of Object.values(compose.services)) {
      if (build) for (const name of Object.keys(environment ?? {})) expect(known).toContain(name);
    }
  });
});
