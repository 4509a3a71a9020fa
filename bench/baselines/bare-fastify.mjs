// The least that could be written: Fastify, pg and one prepared statement a request. No key, no
// checks.
import Fastify from 'fastify';
import pg from 'pg';
import { v5 } from 'uuid';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
});
const environment = process.env.ENVIRONMENT_ID;
const text = `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4)
  ON CONFLICT (user_id) DO UPDATE SET properties = users.properties || excluded.properties, updated_at = clock_timestamp()`;

const app = Fastify();
app.post('/identify', async (request, reply) => {
  const { identifier, properties } = request.body;
  await pool.query({
    name: 'identify',
    text,
    values: [v5(identifier, environment), environment, identifier, properties],
  });
  return reply.code(204).send();
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url }));
