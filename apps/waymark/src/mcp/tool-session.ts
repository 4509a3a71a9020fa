import type { DataSource } from 'typeorm';
import { type GlobalOptions, Session } from '../command-line/session.js';
import type { Settings } from '../config/settings.js';
import { Declined } from '../refusal/command-refusal.js';

/** What one call answers its questions with, and how it is called off. */
interface CallScope {
  /** True where nothing is to be asked. */
  readonly confirmed: true | readonly string[];
  readonly signal: AbortSignal;
}

/**
 * One run of the command for an agent: what it would print is kept, as standard output belongs to
 * the protocol.
 */
export class ToolSession extends Session {
  /** What the command answers, once it has run. */
  document: object = {};

  constructor(
    options: GlobalOptions,
    readCommandSettings: () => Settings,
    private readonly call: CallScope,
  ) {
    super(options, readCommandSettings);
  }

  /**
   * Every tool names its environment, so one that is not there is refused by tools for all
   * environments too.
   */
  override async openOperatorDatabase(
    ...options: Parameters<Session['openOperatorDatabase']>
  ): Promise<DataSource> {
    const dataSource = await super.openOperatorDatabase(...options);
    const { env } = this.options;
    if (env !== undefined) {
      const { getEnvironment } = await import('@waymark/domain/access');
      await getEnvironment(dataSource, env);
    }
    return dataSource;
  }

  /** Progress is for people at a terminal. */
  override note(): void {}

  override printFile(document: object): void {
    this.document = document;
  }

  /** An agent answers by calling again, since its standard input carries the protocol. */
  override async confirm(what: string | (() => Promise<string>)): Promise<void> {
    const { confirmed } = this.call;
    if (confirmed === true) return;
    const question = typeof what === 'string' ? what : await what();
    if (!confirmed.includes(question))
      throw new Declined(`${question} To do it, call again with this sentence in confirmed`);
  }

  override get signal(): AbortSignal {
    return this.call.signal;
  }
}
