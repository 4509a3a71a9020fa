import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Author, listAudit } from '@waymark/domain/database/audit';
import { type ListedEffect, listEffects, listGivenUp, retryEffect } from '@waymark/domain/outbound';
import {
  createKey,
  getEnvironment,
  type KeyView,
  listKeys,
  revokeKey,
} from '@waymark/domain/access';
import {
  type ListedReset,
  listResets,
  openOperatorAccess,
  ResetUsers,
  undoReset,
} from '@waymark/domain/states';
import { FlowVersion, listPersonalFlows } from '@waymark/domain/flows';
import { User } from '@waymark/domain/users';
import { type DataSource, In } from 'typeorm';
import { streamWork } from '../work/stream-work.js';
import type { FlowParams } from '../flows/flow-params.dto.js';
import type { IdParams, LogQuery, NewKeyDto, ResetDto } from './operations.dto.js';
import type { ChangeRow, EffectsFound, OpenTexts, ResetOutcome } from './operations-views.js';

const DAY_MS = 86_400_000;
const SHOWN = { effects: 200, log: 300, runs: 100, sample: 5 };

/** What operators keep an eye on. */
@Injectable()
export class OperationsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async effects(environment: string): Promise<EffectsFound> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const limit = SHOWN.effects;
    const [givenUp, waiting] = await Promise.all([
      listGivenUp(this.dataSource.manager, id, { limit }),
      listEffects(this.dataSource.manager, id, { limit, waitingOnly: true }),
    ]);
    return {
      givenUp,
      waiting: waiting.map(({ effect, ...row }) => ({ ...row, what: describeEffect(effect) })),
    };
  }

  async retry({ environment, id }: IdParams, author: Author): Promise<void> {
    const found = await getEnvironment(this.dataSource, environment);
    await retryEffect(this.dataSource, found.id, id, author);
  }

  async runs(environment: string): Promise<{ runs: ListedReset[] }> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return { runs: await listResets(this.dataSource.manager, id, { limit: SHOWN.runs }) };
  }

  /** Or only counts the users it would be for. */
  reset(
    { environment, flow }: FlowParams,
    { version, when, ...asked }: ResetDto,
    author: Author,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ResetOutcome> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const { dataSource, catalogue, runner, changes } = openOperatorAccess(this.dataSource);
      const resolved = await catalogue.getFlow(flow, version === 0 ? 'uncommitted' : version);
      const sample: string[] = [];
      const done = await new ResetUsers(dataSource, runner, changes).run(
        id,
        resolved,
        {
          ...{
            force: asked.force ?? false,
            dryRun: asked.dryRun ?? false,
            signal,
            onProgress: progress,
          },
          ...(when !== undefined && { when }),
          onMatched: (users) => sample.push(...users.slice(0, SHOWN.sample - sample.length)),
        },
        author,
      );
      return { ...done, sample };
    });
  }

  undo({ environment, id }: IdParams, author: Author): StreamableFile {
    return streamWork(async ({ progress, signal }) => {
      const found = await getEnvironment(this.dataSource, environment);
      return undoReset(
        openOperatorAccess(this.dataSource),
        found.id,
        id,
        { signal, onProgress: progress },
        author,
      );
    });
  }

  async openTexts(environment: string): Promise<OpenTexts> {
    const { id, verification } = await getEnvironment(this.dataSource, environment);
    if (verification === 'required') return { flows: [] };
    return { flows: await listPersonalFlows(this.dataSource.manager, id) };
  }

  async keys(environment: string): Promise<{ keys: KeyView[] }> {
    return { keys: await listKeys(this.dataSource, environment) };
  }

  async createKey(
    environment: string,
    { kind, name, days }: NewKeyDto,
    author: Author,
  ): Promise<{ key: string }> {
    const wanted = {
      environment,
      kind,
      ...(name && { name }),
      ...(days && { expiresInMs: days * DAY_MS }),
    };
    return { key: (await createKey(this.dataSource, wanted, author)).key };
  }

  async revokeKey({ id }: IdParams, author: Author): Promise<void> {
    await revokeKey(this.dataSource, id, author);
  }

  async log(filter: LogQuery): Promise<{ entries: ChangeRow[] }> {
    const entries = await listAudit(this.dataSource.manager, { ...filter, limit: SHOWN.log });
    const ids = entries.flatMap(({ userId }) => userId ?? []);
    const users = await this.dataSource
      .getRepository(User)
      .find({ select: { userId: true, identifier: true }, where: { userId: In(ids) } });
    const names = new Map(users.map(({ userId, identifier }) => [userId, identifier]));
    const rows = entries.map(({ userId, result, ...row }) => ({
      ...row,
      outcome: result.outcome,
      user: (userId && names.get(userId)) ?? null,
      ...detailsOf(row.subject, { ...result }),
    }));
    const messageOf = await this.loadMessages(rows);
    return { entries: rows.map((row) => ({ ...row, message: messageOf(row) })) };
  }

  /** Why versions were published, each reason once. */
  private async loadMessages(
    rows: readonly Published[],
  ): Promise<(row: Published) => string | null> {
    const named = rows.flatMap(publishedIn);
    const where = named.map(([flow, version]) => ({ flow, version: version || -1 }));
    if (where.length === 0) return () => null;
    const found = await this.dataSource
      .getRepository(FlowVersion)
      .find({ select: { flow: true, version: true, message: true }, where });
    const messages = new Map(found.map((one) => [`${one.flow} ${one.version}`, one.message]));
    return (row) => {
      const told = publishedIn(row).map((one) => messages.get(one.join(' ')));
      return [...new Set(told.filter(Boolean))].join('; ') || null;
    };
  }
}

type Published = Pick<ChangeRow, 'action' | 'published'>;

const publishedIn = ({ action, published }: Published): [string, number][] =>
  ['flow.commit', 'flow.apply'].includes(action) ? Object.entries(published) : [];

const COUNTED = ['matched', 'reset', 'restored', 'unchanged', 'movedOn', 'failed'];

/** What the log keeps of what was done, as far as people ask for it. */
function detailsOf(
  subject: string | null,
  { version, versions = {}, ...rest }: Readonly<Record<string, unknown>>,
): Pick<ChangeRow, 'published' | 'counts'> {
  const published = typeof version === 'number' ? { [subject ?? '']: version } : versions;
  const counts = Object.entries(rest).filter(
    ([name, count]) => COUNTED.includes(name) && typeof count === 'number' && count > 0,
  );
  return {
    published: published as Record<string, number>,
    counts: Object.fromEntries(counts) as Record<string, number>,
  };
}

function describeEffect(effect: ListedEffect['effect']): string {
  return effect.kind === 'webhook'
    ? `sends to ${effect.url}`
    : `has the user ${effect.intent} ${effect.flow}`;
}
