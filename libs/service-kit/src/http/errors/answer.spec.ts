import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { DomainError, ERROR_CODES } from '@waymark/domain/database/errors';
import { answerOf, envelopeOf } from './answer.js';
import { CODE_OF_STATUS, STATUS_OF_ERROR, Refusal } from './error-table.js';

const CRASH = 'something went wrong on this side; the log has more under this request id';

describe('what is answered to an error', () => {
  test('every code of the domain has a status, and every status an envelope code (W2)', () => {
    expect(Object.keys(STATUS_OF_ERROR).sort()).toEqual([...ERROR_CODES].sort());
    for (const status of Object.values(STATUS_OF_ERROR))
      expect(CODE_OF_STATUS[status]).toBeDefined();
  });

  test('docs/clients.md tells clients of every status and its code (W2)', () => {
    const docs = readFileSync(new URL('../../../../../docs/clients.md', import.meta.url), 'utf8');
    const rows = [...docs.matchAll(/^\| (\d{3}(?:, \d{3})*) +\| `(\w+_error)` +\|/gm)];
    const told = rows.flatMap(([, statuses, code]) =>
      statuses!.split(', ').map((status) => [status, code]),
    );
    const { 409: _, ...ofClients } = CODE_OF_STATUS;
    expect(Object.fromEntries(told)).toEqual(ofClients);
  });

  test('the domain speaks for itself', () => {
    const answer = answerOf(new DomainError('user.unknown', 'nobody was identified as "anna"'));
    expect(envelopeOf(answer, 'id')).toEqual({
      code: 'not_found_error',
      details: 'nobody was identified as "anna"',
      requestId: 'id',
    });
    expect(answer.status).toBe(404);
  });

  test.each(['database.unavailable', 'service.overloaded'] as const)(
    '%s says when to come back (W5)',
    (code) => {
      expect(answerOf(new DomainError(code, 'later'))).toEqual({
        status: 503,
        details: 'later',
        headers: { 'retry-after': '1' },
      });
    },
  );

  test('a database that is away is no crash, whoever says so (R4)', () => {
    expect(answerOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    });
    expect(
      answerOf(Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })),
    ).toMatchObject({ status: 400 });
  });

  test('a refusal brings its headers', () => {
    expect(answerOf(new Refusal(405, 'no', { allow: 'GET' }))).toEqual({
      status: 405,
      details: 'no',
      headers: { allow: 'GET' },
    });
  });

  test.each([
    new Error('SELECT * FROM secrets'),
    Object.assign(new Error('hush'), { statusCode: 400 }),
    'text',
    undefined,
    null,
    { message: 'x' },
    new HttpException('SELECT', 500),
  ])('the unexpected is a 500 that says nothing of its cause (W2): %p', (error) => {
    expect(answerOf(error)).toEqual({ status: 500, details: CRASH, headers: {} });
  });

  test('refusals of Nest and Fastify keep their status, and become one of the contract where it has none', () => {
    const fastify = Object.assign(new Error('bad'), {
      name: 'FastifyError',
      statusCode: 400,
      code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    });
    expect(answerOf(new NotFoundException('nothing'))).toMatchObject({
      status: 404,
      details: 'nothing',
    });
    expect(answerOf(new BadRequestException('no', { cause: fastify }))).toMatchObject({
      status: 400,
      details: expect.stringContaining('content-length'),
    });
    expect(answerOf(new HttpException('teapot', 418))).toMatchObject({ status: 400 });
  });
});
