// P17: what verified users cost, over the same requests without tokens.
import { largeFlow } from '@waymark/testing/sample-flows';
import { openServer } from './stand/database.mjs';
import { LOOP, openFlowService, read, transition } from './stand/flow-service.mjs';
import { PATIENT } from './stand/patient-settings.mjs';
import { offerLoad } from './stand/processes.mjs';
import { interleave, median, ratio } from './stand/rounds.mjs';
import { requireTokens } from './stand/user-tokens.mjs';

const USERS = 10_000;
const CONNECTIONS = 64;
const LOAD = new URL('./loads/identity.mjs', import.meta.url);

export async function measure({ rounds, seconds, log }) {
  const server = await openServer();
  try {
    const flows = [largeFlow(20, 'twenty'), LOOP];
    const off = await openFlowService(server, 'unverified', {
      users: USERS,
      flows,
      settings: PATIENT,
    });
    const required = await openFlowService(server, 'verified', {
      users: USERS,
      flows,
      settings: PATIENT,
    });
    const tokens = await requireTokens(required, USERS);
    const open = Array.from({ length: USERS }, () => off.headers['x-api-key']);
    const verified = tokens.map((token) => `${required.headers['x-api-key']}.${token}`);
    // Each token is verified once, which is what the first request of a page costs; users come in
    // turn, so that so many requests in a row have them all.
    const first = await load(required, read('twenty'), verified)(4);
    await load(required, read('twenty'), verified)(Math.ceil((1.5 * USERS) / first));
    const rates = await interleave(
      {
        read: load(required, read('twenty'), verified),
        openRead: load(off, read('twenty'), open),
        transition: load(required, transition, verified),
        openTransition: load(off, transition, open),
      },
      { rounds, seconds, log },
    );
    await Promise.all([off, required].map(({ service }) => service.stop()));
    log(`  while tokens were new: ${Math.round(first)} reads a second`);
    return [
      row('GET flow, 20 blocks', rates.read, rates.openRead),
      row('POST transition', rates.transition, rates.openTransition),
    ];
  } finally {
    await server.close();
  }
}

const row = (what, rates, against) => ({
  id: 'P17',
  what: `${what}, verification required, ${USERS} users' tokens`,
  against: 'verification off, no tokens',
  goal: 0.9,
  ratio: ratio(rates, against),
  note: `${Math.round(median(rates))}/s against ${Math.round(median(against))}/s`,
});

const load =
  ({ service }, request, keys) =>
  async (seconds) => {
    const options = { ...request, keys };
    const result = await offerLoad({
      url: service.url,
      connections: CONNECTIONS,
      seconds,
      requests: LOAD,
      options,
    });
    if (result.refused + result.shed > 0)
      throw new Error(`${result.refused + result.shed} requests of ${request.path} were refused`);
    return result.rate;
  };
