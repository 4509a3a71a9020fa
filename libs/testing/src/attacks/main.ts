// A process of its own that attacks until its parent lets go, so that the attacker's work is not
// the tester's.
import { setMaxListeners } from 'node:events';
import { ATTACKS, type AttackName } from './attacks.js';
import { firstConnection, type AttackTarget } from './raw-client.js';

const [name, target] = process.argv.slice(2) as [AttackName, string];
const stop = new AbortController();
setMaxListeners(0, stop.signal);
process.on('message', () => stop.abort());
process.on('disconnect', () => process.exit(0));
void firstConnection.then(() => process.send?.('begun'));
await ATTACKS[name](JSON.parse(target) as AttackTarget, stop.signal);
process.exit(0);
