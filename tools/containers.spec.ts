import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The lines of one fixture of the Dockerfile, by its name. */
const fixtures = new Map(
  read('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
    .map((text) => [/ AS (\S+)/.exec(text)?.[1] ?? '', text]),
);
const fixture = (name: string): string => fixtures.get(name) ?? '';

const APPS = readdirSync(path.join(root, 'apps'));
/** The command and the studio share an image. */
const SERVICES = APPS.filter((app) => !['waymark', 'studio'].includes(app));

interface ComposeService {
  build?: { target: string };
  environment?: Record<string, unknown>;
  ports?: string[];
  volumes?: string[];
}
const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, ComposeService>;
};

describe('the Dockerfile', () => {
  test.each(SERVICES)(
    'has a fixture for %s that runs its bundle without root, and holds what belongs to it only',
    (app) => {
      expect(fixture(app)).toMatch(/^node AS/);
      expect([...fixture(app).matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied)).toEqual([
        `--from=build /app/package.json /app/dist/apps/${app}/main.js* /app/dist/apps/${app}/THIRD-PARTY.txt ./`,
        `--from=build /app/dist/apps/${app}/docs docs`,
        ...(app === 'blocks-api'
          ? ['--from=build /app/dist/apps/blocks-api/elements elements']
          : []),
      ]);
      expect(fixture(app)).toContain('CMD ["node", "main.js"]');
      expect(fixture(app)).toContain('USER node');
    },
  );

  test('has a fixture for waymark that runs the bundle without root, and the studio that it starts', () => {
    const [command, studio] = ['/app/dist/apps/waymark', '/app/dist/apps/studio'];
    expect(fixture('waymark')).toMatch(/^node AS/);
    expect([...fixture('waymark').matchAll(/^COPY (.*)$/gm)].map(([, copied]) => copied)).toEqual([
      '--from=build /app/package.json ./',
      `--from=build ${command}/*.js ${command}/*.js.map ${command}/THIRD-PARTY.txt dist/apps/waymark/`,
      `--from=build ${studio}/main.js* ${studio}/reader.js* ${studio}/THIRD-PARTY.txt dist/apps/studio/`,
      `--from=build ${studio}/pages dist/apps/studio/pages`,
      'apps/waymark/bin apps/waymark/bin',
    ]);
    expect(fixture('waymark')).toContain('USER node');
  });

  test('knows every project of the workspace, so that npm ci finds what the lock file names', () => {
    const projects = ['libs', 'apps'].flatMap((kind) =>
      readdirSync(path.join(root, kind)).map((name) => `${kind}/${name}`),
    );
    for (const project of projects)
      expect(fixture('workspace')).toContain(`COPY ${project}/package.json ${project}/`);
  });
});

describe('docker-compose.yml', () => {
  test('builds fixtures that the Dockerfile has', () => {
    const targets = Object.values(compose.services).flatMap(({ build }) => build?.target ?? []);
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) expect(APPS).toContain(target);
  });

  test('leads to each service through the proxy, by the port that the service listens on (R13)', () => {
    for (const [app, port] of [
      ['users-api', 7070],
      ['blocks-api', 7071],
    ] as const) {
      const { environment, ports } = compose.services[app] ?? {};
      expect(environment?.['PORT']).toBe(port);
      expect(ports).toBeUndefined();
      expect(compose.services['proxy']?.ports).toContainEqual(
        expect.stringMatching(new RegExp(`:${port}$`)),
      );
      expect(fixture(app)).toContain(`EXPOSE ${port} `);
    }
  });

  test('has no password of its own: whoever starts it has to choose them', () => {
    const passwords = [...text.matchAll(/\$\{([A-Z_]*PASSWORD)([^}]*)\}/g)];
    expect(passwords.map(([, name]) => name).sort()).toEqual([
      'POSTGRES_PASSWORD',
      'WAYMARK_PASSWORD',
    ]);
    for (const [, , rest] of passwords) expect(rest).toMatch(/^:\?/);
  });

  test('logs in as roles that are no superusers, with passwords that stand in no URL', () => {
    const { postgres, ...others } = compose.services;
    const { POSTGRES_PASSWORD: owner, WAYMARK_PASSWORD: app } = postgres!.environment!;
    expect(owner).not.toBe(app);
    for (const [name, { build, environment }] of Object.entries(others)) {
      if (!build) continue;
      const migrates = name === 'migrate';
      const role = migrates ? 'waymark_owner' : 'waymark_app';
      expect(environment).toMatchObject({
        DATABASE_URL: `postgres://${role}@postgres:5432/waymark`,
        PGPASSWORD: migrates ? owner : app,
      });
    }
    const scripts = postgres!.volumes!.filter((volume) => volume.includes('initdb.d'));
    const [roles, passwords] = scripts.map((volume) => read(volume.split(':')[0]!));
    for (const role of ['waymark_owner', 'waymark_app']) {
      expect(roles).toContain(`CREATE ROLE ${role} LOGIN;`);
      expect(passwords).toContain(`ALTER ROLE ${role} PASSWORD`);
    }
  });

  test('names only settings that .env.example describes', () => {
    const example = read('.env.example');
    const known = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    // Read by the driver of PostgreSQL, and documented with DATABASE_URL.
    expect(example).toContain('`PGPASSWORD`');
    known.push('PGPASSWORD');
    for (const { environment, build } of Object.values(compose.services)) {
      if (build) for (const name of Object.keys(environment ?? {})) expect(known).toContain(name);
    }
  });
});
