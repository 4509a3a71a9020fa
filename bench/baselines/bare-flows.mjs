// The least that could be written for flows: Fastify and pg. A read is one prepared statement and
// answers ready-made bytes; a transition is BEGIN, SELECT FOR UPDATE, UPDATE, INSERT, COMMIT. No
// key, no checks, no engine.
import Fastify from 'fastify';
import pg from 'pg';
import { v5 } from 'uuid';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
});
const environment = process.env.ENVIRONMENT_ID;
const prepared = (name, text) => (client, values) => client.query({ name, text, values });

const KEY = 'user_id = $1 AND flow = $2 AND version = $3';
const read = prepared('read', `SELECT revision, state FROM flow_states WHERE ${KEY}`);
const lock = prepared('lock', `SELECT revision, state FROM flow_states WHERE ${KEY} FOR UPDATE`);
const update = prepared(
  'update',
  `UPDATE flow_states SET revision = $4, state = $5, updated_at = now() WHERE ${KEY}`,
);
const insert = prepared(
  'insert',
  'INSERT INTO flow_events (user_id, flow, version, revision, event) VALUES ($1, $2, $3, $4, $5)',
);
const EVENT = JSON.stringify({
  format: 1,
  cause: { kind: 'transition', block: 'loop-again', names: ['again'] },
  changes: ['exited', 'transitioned', 'entered'].map((kind) => ({ kind, block: 'loop-again' })),
});

let bytes = '{}';
const app = Fastify();
app.put('/bytes', async (request, reply) => {
  bytes = JSON.stringify(request.body);
  return reply.code(204).send();
});
app.get('/v2/flow/:flow', async ({ params, query }, reply) => {
  const { rows } = await read(pool, [v5(query.userIdentifier, environment), params.flow, 1]);
  return reply
    .code(rows.length === 1 ? 200 : 404)
    .header('content-type', 'application/json; charset=utf-8')
    .send(bytes);
});
app.post('/v2/block/:flow/transition', async ({ params, query }, reply) => {
  const client = await pool.connect();
  const key = [v5(query.userIdentifier, environment), params.flow, 1];
  await client.query('BEGIN');
  const { rows } = await lock(client, key);
  const { revision, state } = rows[0];
  state.blocks['loop-again'] = {
    active: true,
    entered: true,
    exited: true,
    transitioned: ['again'],
  };
  await update(client, [...key, revision + 1, JSON.stringify(state)]);
  await insert(client, [...key, revision + 1, EVENT]);
  await client.query('COMMIT');
  client.release();
  return reply.code(204).send();
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url }));
