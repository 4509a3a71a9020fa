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
  readonly maxRunning: number;
  /** Requests that may wait for one of those to end, and for how many milliseconds. */
  readonly maxWaiting: number;
  readonly patienceMs: number;
  /** Answers a request that is one too many; has to be cheap. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
}

interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/**
 * Lets a bounded number of requests run; the others wait for their turn before any of the framework's work is done for
 * them. A refusal costs half as much as an answer, and clients come back at once, so a process that refused right away
 * would spend its time on refusals (P12). Who has waited too long, or finds too many waiting, is refused. Health is
 * always answered.
 */
export class Admission {
  private count = 0;
  /** In the order of their arrival. */
  private readonly line = new Map<ServerResponse, Arrival>();
  private readonly waits = new WeakMap<IncomingMessage, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly rules: AdmissionRules,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.timer = setInterval(() => this.sweep(), 25).unref();
  }

  /** Requests under way. */
  get running(): number {
    return this.count;
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.line.size;
  }

  /** Milliseconds that a request waited for its turn. */
  waitedMs(request: IncomingMessage): number {
    return this.waits.get(request) ?? 0;
  }

  /** An HTTP server whose requests pass the admission. */
  createServer(options: ServerOptions, listener: RequestListener): Server {
    const run = ({ request, response }: Arrival): void => {
      this.count++;
      response.once('close', () => {
        this.count--;
        noteAnswered(request);
        this.next(run);
      });
      listener(request, response);
    };
    const server = createServer(options, (request, response) => {
      const arrival = { request, response, since: this.now() };
      if (this.count < this.rules.maxRunning || request.url?.startsWith('/health')) return run(arrival);
      if (this.line.size >= this.rules.maxWaiting) return this.refuse(arrival);
      this.line.set(response, arrival);
      response.once('close', () => this.line.delete(response));
    });
    // An expectation that nobody knows is ignored; Node would refuse it without the envelope (W2).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  }

  /** Refuses who has waited too long. */
  sweep(): void {
    const limit = this.now() - this.rules.patienceMs;
    for (const arrival of this.line.values()) {
      if (arrival.since > limit) return;
      this.line.delete(arrival.response);
      this.refuse(arrival);
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private refuse({ request, response }: Arrival): void {
    this.rules.refuse(request, response);
    noteAnswered(request);
  }

  private next(run: (arrival: Arrival) => void): void {
    for (const [response, arrival] of this.line) {
      if (this.count >= this.rules.maxRunning) return;
      this.line.delete(response);
      this.waits.set(arrival.request, this.now() - arrival.since);
      run(arrival);
    }
  }
}
