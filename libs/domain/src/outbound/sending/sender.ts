import { Agent as AgentHttp } from 'node:http';
import { Agent as AgentHttps } from 'node:https';
import { post, type Posting, type PostSettings } from './post.js';
import { FinalFailure } from './send-failure.js';

/**
 * What an answer means for what was sent: it arrived; it was refused, and others may not be;
 * nothing can be delivered there just now; nothing is wanted there any more (E8).
 */
export type AnswerVerdict = 'delivered' | 'refused' | 'down' | 'gone';

export interface Answered {
  readonly verdict: AnswerVerdict;
  /** In words for the operator, where it was not delivered. */
  readonly error: string | null;
  /** For logs: a code without anything of the receiver's own. */
  readonly code: string | null;
  /** Whether nothing was answered at all. */
  readonly isSilent: boolean;
  /** Whether no repeat can be answered otherwise. */
  readonly isFinal: boolean;
}

/**
 * Answers below 500 that are about the receiver and not about what was sent: everything waits, and
 * nothing is dropped.
 */
const OF_THE_RECEIVER = new Set([401, 403, 404, 408, 425, 429]);

/** Connections are used again, and closed once they were idle for so long. */
const KEEP = { keepAlive: true, timeout: 30_000 };

/**
 * Sends to receivers over connections that it keeps, and says what their answers mean, for webhooks
 * of flows and for events.
 */
export class Sender {
  private readonly agents = {
    'http:': new AgentHttp(KEEP),
    'https:': new AgentHttps(KEEP),
  };

  constructor(private readonly settings: PostSettings) {}

  /** Null when `stop` said so before an answer came; never throws. */
  async send(posting: Omit<Posting, 'agent'>, stop: AbortSignal): Promise<Answered | null> {
    try {
      const agent = this.agents[posting.url.protocol as 'http:' | 'https:'];
      const { status } = await post({ ...posting, agent }, this.settings, stop);
      return readStatus(status);
    } catch (error) {
      if (stop.aborted) return null;
      const { message, name, code } = error as Error & { code?: string };
      const isFinal = error instanceof FinalFailure;
      return { verdict: 'down', error: message, code: code ?? name, isSilent: !isFinal, isFinal };
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}

function readStatus(status: number): Answered {
  const verdict = verdictOf(status);
  const hint = status >= 300 && status <= 399 ? ', redirects are not followed' : '';
  return {
    verdict,
    error: verdict === 'delivered' ? null : `answered ${status}${hint}`,
    code: verdict === 'delivered' ? null : `answered-${status}`,
    isSilent: false,
    isFinal: false,
  };
}

function verdictOf(status: number): AnswerVerdict {
  if (status >= 200 && status <= 299) return 'delivered';
  if (status === 410) return 'gone';
  return status >= 400 && status <= 499 && !OF_THE_RECEIVER.has(status) ? 'refused' : 'down';
}
