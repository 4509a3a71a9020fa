import { describe, expect, test } from '@jest/globals';
import { fastify } from 'fastify';
import { Deadline } from './deadline.js';

describe('the deadline of an answer', () => {
  test('answers what waits too long, and nothing else (R4)', async () => {
    let clock = 0;
    const deadline = new Deadline(
      1_000,
      () => 0,
      () => clock,
    );
    const server = fastify();
    deadline.install(server);
    server.get('/never', () => new Promise(() => undefined));
    server.get('/at-once', () => ({}));
    server.setErrorHandler((error: Error, _request, reply) => reply.code(503).send(error.message));

    const first = server.inject('/never');
    expect((await server.inject('/at-once')).statusCode).toBe(200);
    clock = 600;
    const second = server.inject('/never');
    expect((await server.inject('/at-once')).statusCode).toBe(200);

    clock = 1_000;
    deadline.sweep();
    expect((await first).body).toBe('there was no answer within 1000 ms, please try again');
    clock = 1_599;
    deadline.sweep();
    const unanswered = Symbol('unanswered');
    expect(await Promise.race([second, Promise.resolve(unanswered)])).toBe(unanswered);
    clock = 1_600;
    deadline.sweep();
    expect((await second).statusCode).toBe(503);
    deadline.stop();
    await server.close();
  });
});
