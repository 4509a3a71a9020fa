import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { noteAnswered } from '../errors/client-error.js';

export interface AdmissionRules {
  /** Requests under way at once. */
  maxRunning: number;
  /** Answers a request that is one too many; has to be cheap. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Lets a bounded number of requests run and refuses the rest before any of the framework's work is done for them: under
 * overload the time of the process goes into answers, not into refusals. Health is always answered.
 */
export class Admission {
  private count = 0;

  constructor(private readonly rules: AdmissionRules) {}

  /** Requests under way. */
  get running(): number {
    return this.count;
  }

  /** An HTTP server whose requests pass the admission. */
  createServer(options: ServerOptions, listener: RequestListener): Server {
    return createServer(options, (request, response) => {
      const isAdmitted = this.count < this.rules.maxRunning || request.url?.startsWith('/health');
      if (isAdmitted) this.count++;
      response.once('close', () => {
        if (isAdmitted) this.count--;
        noteAnswered(request);
      });
      return isAdmitted ? listener(request, response) : this.rules.refuse(request, response);
    });
  }
}
