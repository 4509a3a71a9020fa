import { invalidRequest } from '@waymark/domain/errors';
import { checkShape } from '@waymark/service-kit/json-body';
import type { FastifyBodyParser } from 'fastify';

/** Many more than any page sends; class-transformer takes minutes for two hundred thousand. */
const MOST_VALUES = 2_000;

/** Refuses, before a DTO is made of it, a body that nests without end (W7) or has more values than the pages send. */
export const parseBody =
  (parse: FastifyBodyParser<string>): FastifyBodyParser<string> =>
  (request, body, done) => {
    try {
      checkShape(body);
    } catch (error) {
      return done(error as Error);
    }
    return parse(request, body, (error, value: unknown) => {
      if (error || countValues(value) <= MOST_VALUES) done(error, value);
      else done(invalidRequest(`the body has more than ${MOST_VALUES.toLocaleString('en-US')} values`));
    });
  };

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + countValues(one), 1);
}
