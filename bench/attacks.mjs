// R13: honest clients of blocks-api while somebody else attacks it, against the same without an
// attack; and what is left.
import {
  ATTACKS,
  ELSEWHERE,
  LARGE_FLOW,
  MANY_FLOWS,
  ATTACKED_SETTINGS,
  startAttack,
} from '@waymark/testing/attacks';
import { openServer } from './stand/database.mjs';
import { requireTokens } from './stand/user-tokens.mjs';
import { LOOP, openFlowService, transition } from './stand/flow-service.mjs';
import { offerLoad } from './stand/processes.mjs';
import { median, ratio } from './stand/rounds.mjs';

const USERS = 10_000;
/** Half of what one address may send: honest clients are behind one proxy here. */
const PER_SECOND = 500;
/** As many as a proxy holds open; a request that finds none is not sent. */
const CONNECTIONS = 200;
const LOAD = new URL('./loads/identity.mjs', import.meta.url);

export async function measure({ rounds, seconds, log }) {
  const server = await openServer();
  try {
    const rows = [];
    const open = (name) =>
      openFlowService(server, name, {
        users: USERS,
        flows: [LOOP, LARGE_FLOW, ...MANY_FLOWS],
        settings: ATTACKED_SETTINGS,
      });
    const plain = await open('attacks');
    const key = plain.headers['x-api-key'];
    const verified = await open('tokens');
    const pages = (await requireTokens(verified, USERS)).map(
      (token) => `${verified.headers['x-api-key']}.${token}`,
    );
    const subjects = { 'wrong-token-flood': { service: verified.service, keys: pages } };
    for (const name of Object.keys(ATTACKS)) {
      const { service, keys } = subjects[name] ?? {
        service: plain.service,
        keys: Array(USERS).fill(key),
      };
      const options = { ...transition, keys, headers: ELSEWHERE };
      const rate = { perSecond: PER_SECOND, connections: CONNECTIONS };
      const offer = () =>
        offerLoad({ url: service.url, ...rate, seconds, requests: LOAD, options });
      const [calm, attacked] = [[], []];
      for (let round = 0; round < rounds; round++) {
        // Connections that the attack before left in the queue are taken first.
        await fetch(`${service.url}/health`, { headers: { connection: 'close' } });
        calm.push((await offer()).rate);
        const stop = await startAttack(name, { url: service.url, key: keys[0] });
        attacked.push((await offer()).rate);
        await stop();
      }
      log(`${name}: ${Math.round(median(attacked))}/s against ${Math.round(median(calm))}/s`);
      rows.push(row(name, attacked, calm));
    }
    await Promise.all([plain, verified].map(({ service }) => service.stop()));
    return rows;
  } finally {
    await server.close();
  }
}

const row = (name, attacked, calm) => ({
  id: 'R13',
  what: `POST transition, ${PER_SECOND}/s offered, during ${name}`,
  against: 'without the attack',
  ratio: ratio(attacked, calm),
  goal: 'at least 0.7',
});
