import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, checklist, custom, defineFlow, modal, tour } from '@waymark/testing/builders';
import { startBalancer } from './balancer.js';
import { LiveReplicas } from './live-replicas.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const OWN_HOST = path.resolve(here, '../../../examples/own-host/node.cjs');

const onboarding = defineFlow({
  blocks: {
    welcome: modal({ complete: 'setup', dismiss: 'finish' }),
    setup: checklist(['invite', 'connect'], { complete: 'look', dismiss: 'finish' }),
    look: tour(['board', 'search'], { complete: 'survey', dismiss: 'finish' }),
    survey: custom({ done: 'finish' }),
  },
});
const invited = defineFlow({
  flow: 'invited',
  target: { users: 'api-only' },
  blocks: { badge: card({ complete: 'finish' }) },
});
const loop = defineFlow({ flow: 'loop', blocks: { again: custom({ again: 'again' }) } });

/** A process with @dopt/javascript 3.1.1 as published, but for its host. */
class Tab {
  private constructor(private readonly process: ChildProcess) {}

  static async open(url: string, config: object): Promise<Tab> {
    const child = fork(path.join(here, 'sdk-tab.cjs'), [JSON.stringify(config)], {
      execArgv: ['--require', OWN_HOST],
      env: { PATH: process.env['PATH'], BLOCKS_URL: url },
      stdio: 'ignore',
    });
    await once(child, 'message');
    const tab = new Tab(child);
    await tab.run('dopt.initialized()');
    return tab;
  }

  /** The value of an expression in which `dopt` is the SDK. */
  async run(expression: string): Promise<unknown> {
    this.process.send(expression);
    const [{ value, error }] = (await once(this.process, 'message')) as [
      { value?: unknown; error?: string },
    ];
    if (error !== undefined) throw new Error(error);
    return value;
  }

  until(condition: string): Promise<unknown> {
    return this.run(`until((dopt) => ${condition})`);
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}

let live: LiveReplicas;
let tabs: Tab[];
let user: string;
let count = 0;

beforeAll(async () => {
  live = await LiveReplicas.open(2);
  await live.commit(onboarding, invited, loop);
});
afterAll(() => live.close());
beforeEach(async () => {
  tabs = [];
  user = `user-${++count}`;
  await live.fixture.identify(user);
});
afterEach(() => Promise.all(tabs.map((tab) => tab.close())));

const open = async (url = live.url(), flowVersions: Record<string, number> = { onboarding: 1 }) => {
  const tab = await Tab.open(url, { apiKey: live.key, userId: user, flowVersions });
  tabs.push(tab);
  return tab;
};

describe('@dopt/javascript 3.1.1, unmodified but for its host', () => {
  test('initialises: reads the flow, which starts it, and is told ready (L2, S8)', async () => {
    const tab = await open();
    expect(await tab.run("dopt.flow('onboarding').state")).toEqual({
      started: true,
      stopped: false,
      finished: false,
    });
    expect(await tab.run("dopt.modal('onboarding.welcome').active")).toBe(true);
    expect(await tab.run("dopt.flow('onboarding').initialized()")).toBe(true);
  });

  test('two tabs on two replicas stay in step through modal, checklist, tour and reset (L4, L5)', async () => {
    const [here, there] = [await open(live.url(0)), await open(live.url(1))];
    await here.run("dopt.modal('onboarding.welcome').complete()");
    await there.until("dopt.checklist('onboarding.setup').active");
    expect(await there.run("dopt.modal('onboarding.welcome').completed")).toBe(true);
    await there.run("dopt.checklistItem('onboarding.connect').complete()");
    await here.run("dopt.checklistItem('onboarding.invite').skip()");
    await here.until(
      "dopt.checklist('onboarding.setup').completed && dopt.tourItem('onboarding.board').active",
    );
    await here.run("dopt.tourItem('onboarding.board').next()");
    await there.until("dopt.tourItem('onboarding.search').active");
    await there.run("dopt.tourItem('onboarding.search').back()");
    await here.until("dopt.tourItem('onboarding.board').active");
    await live.intent(user, 'onboarding', 'reset');
    for (const tab of [here, there]) await tab.until("dopt.modal('onboarding.welcome').active");
  });

  test('initialises for a user who does not qualify: its start takes no effect (S9, B9, B10)', async () => {
    const tab = await open(live.url(), { invited: 1 });
    expect(await tab.run("dopt.flow('invited').initialized()")).toBe(true);
    expect(await tab.run("dopt.flow('invited').state.started")).toBe(false);
    await live.intent(user, 'invited', 'start', 1, '&force=true');
    await tab.until("dopt.flow('invited').state.started && dopt.block('u-badge').state.active");
  });

  test('a block that leads back to itself, which it hides too early, is shown again every time (S6, L5, L6)', async () => {
    const tab = await open(live.url(), { loop: 1 });
    for (let round = 0; round < 3; round++) {
      expect(
        await tab.run(
          "(dopt.block('u-again').transition('again'), dopt.block('u-again').state.active)",
        ),
      ).toBe(false);
      await tab.until("dopt.block('u-again').state.active");
    }
  });

  test('it never watches again after a reconnect, and yet sees everything when its replica dies (L7)', async () => {
    const dying = await live.add();
    const balancer = await startBalancer([dying.url]);
    try {
      const tab = await open(balancer.url);
      await live.transition(user, 'u-welcome', ['complete'], 1);
      await tab.until("dopt.checklist('onboarding.setup').active");
      balancer.leadTo([live.url(0)]);
      dying.process.kill('SIGKILL');
      await live.transition(user, 'u-invite', ['complete'], 1);
      await tab.until("dopt.block('u-invite').state.exited");
      await live.transition(user, 'u-connect', ['complete'], 1);
      await tab.until("dopt.checklist('onboarding.setup').completed");
    } finally {
      await balancer.close();
    }
  });
});
