import { Agent as AgentHttp } from 'node:http';
import { Agent as AgentHttps } from 'node:https';
import { post, type PostSettings } from '../../sending/index.js';
import { type Addressee, eventRequest, type SentEvent } from './event-request.js';
import { describeAnswer, type AnswerVerdict, verdictOf } from './answer-verdict.js';

export interface Answered {
  readonly verdict: AnswerVerdict;
  /** In words for the operator, where it was not delivered. */
  readonly error: string | null;
  /** For logs: a code without anything of the receiver's own. */
  readonly code: string | null;
}

/** Sends events to one receiver, over connections that it keeps. */
export class Sender {
  private readonly agents = { 'http:': new AgentHttp({ keepAlive: true }), 'https:': new AgentHttps({ keepAlive: true }) };

  constructor(private readonly settings: PostSettings) {}

  /** Null when it was told to stop before an answer came. */
  async send(to: Addressee, events: readonly SentEvent[], nowMs: number, stop: AbortSignal): Promise<Answered | null> {
    try {
      const request = eventRequest(to, events, nowMs);
      const agent = this.agents[request.url.protocol as 'http:' | 'https:'];
      const { status } = await post({ ...request, agent }, this.settings, stop);
      const verdict = verdictOf(status);
      if (verdict === 'delivered') return { verdict, error: null, code: null };
      return { verdict, error: describeAnswer(status), code: `answered-${status}` };
    } catch (error) {
      if (stop.aborted) return null;
      const { message, name, code } = error as Error & { code?: string };
      return { verdict: 'down', error: message, code: code ?? name };
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}
