import { DomainError } from '@waymark/domain/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, envelopeOf, type ErrorAnswer } from './answer.js';

declare module 'fastify' {
  interface FastifyReply {
    /** What exactly was refused, such as `user.unknown`: for the log, without identifiers. */
    refusedFor?: string;
  }
}

/** Answers a request with the envelope of an error, unless it was answered already; returns what it made of the error. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): ErrorAnswer {
  const answer = answerOf(error, request.routeOptions?.bodyLimit);
  if (reply.sent) return answer;
  if (error instanceof DomainError) reply.refusedFor = error.code;
  // Fastify closes the connection after a body it refused; closing on a client that still sends loses it the answer.
  reply.removeHeader('connection');
  void reply.code(answer.status).headers(answer.headers).send(envelopeOf(answer, request.id));
  return answer;
}
