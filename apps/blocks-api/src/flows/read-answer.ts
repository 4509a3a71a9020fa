import type { FastifyReply } from 'fastify';

/**
 * What a read answers: JSON that is written already, and the language of each of its flows that has
 * several (X2).
 */
export interface ReadAnswer {
  readonly json: string;
  /** In the order of the flows; undefined for a flow in one language only. */
  readonly languages: readonly (string | undefined)[];
}

/**
 * Says in which language the answer is, where all its flows agree, and that a cache must tell
 * languages apart, where one flow has several (X2). Returns the body.
 */
export function answerRead(reply: FastifyReply, { json, languages }: ReadAnswer): string {
  if (languages.every((language) => language === undefined)) return json;
  const [first] = languages;
  if (first !== undefined && languages.every((language) => language === first))
    reply.header('content-language', first);
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-language' : `${String(vary)}, accept-language`);
  return json;
}
