import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelopeOf } from '../errors/index.js';
import { corsHeaders } from '../requests/cors.js';
import { requestIdOf } from '../requests/request-id.js';
import { securityHeaders } from '../requests/security-headers.js';

const BUSY = { status: 503, details: 'too many requests are under way, please try again', headers: {} } as const;

/** Answers 503 as every other refusal looks (W2, W3, W6), without the framework. */
export function answerBusy(origins: '*' | string[]): (request: IncomingMessage, response: ServerResponse) => void {
  const headers = { ...securityHeaders(), 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' };
  return (request, response) => {
    const requestId = requestIdOf(request);
    response.writeHead(BUSY.status, { ...headers, 'x-request-id': requestId, ...corsHeaders(origins, request.headers.origin) });
    response.end(JSON.stringify(envelopeOf(BUSY, requestId)));
  };
}
