import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Author, listAudit } from '@waymark/domain/audit';
import { type ListedEffect, listEffects, retryEffect } from '@waymark/domain/effects';
import { createKey, getEnvironment, listKeys, revokeKey } from '@waymark/domain/environments';
import { listResets, type ListedReset, ResetUsers, undoReset } from '@waymark/domain/flow-states';
import { openOperatorAccess } from '@waymark/domain/live-bus';
import type { DataSource } from 'typeorm';
import { streamWork } from '../work/stream-work.js';
import type { FlowParams } from '../flows/flow-params.dto.js';
import type { IdParams, LogQuery, NewKeyDto, ResetDto } from './operations.dto.js';
import type { ChangeRow, EffectRow, KeyRow, ResetOutcome } from './operations-views.js';

const DAY_MS = 86_400_000;
const SHOWN = { effects: 200, log: 300, runs: 100, sample: 5 };

/** What operators keep an eye on. */
@Injectable()
export class OperationsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async effects(environment: string): Promise<{ effects: EffectRow[] }> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const effects = await listEffects(this.dataSource.manager, id, { limit: SHOWN.effects });
    return { effects: effects.map(({ effect, ...row }) => ({ ...row, what: describeEffect(effect) })) };
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
  reset({ environment, flow }: FlowParams, { version, when, ...asked }: ResetDto, author: Author): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ResetOutcome> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const { dataSource, catalogue, runner, changes } = openOperatorAccess(this.dataSource);
      const resolved = await catalogue.getFlow(flow, version === 0 ? 'uncommitted' : version);
      const sample: string[] = [];
      const done = await new ResetUsers(dataSource, runner, changes).run(
        id,
        resolved,
        {
          ...{ force: asked.force ?? false, dryRun: asked.dryRun ?? false, signal, onProgress: progress },
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
      return undoReset(openOperatorAccess(this.dataSource), found.id, id, { signal, onProgress: progress }, author);
    });
  }

  /** Without the keys themselves: the command shows blocks keys. */
  async keys(environment: string): Promise<{ keys: KeyRow[] }> {
    const keys = await listKeys(this.dataSource, environment);
    return { keys: keys.map(({ key: _, ...row }) => row) };
  }

  async createKey(environment: string, { kind, name, days }: NewKeyDto, author: Author): Promise<{ key: string }> {
    const wanted = { environment, kind, ...(name && { name }), ...(days && { expiresInMs: days * DAY_MS }) };
    return { key: (await createKey(this.dataSource, wanted, author)).key };
  }

  async revokeKey({ id }: IdParams, author: Author): Promise<void> {
    await revokeKey(this.dataSource, id, author);
  }

  async log(filter: LogQuery): Promise<{ entries: ChangeRow[] }> {
    const entries = await listAudit(this.dataSource.manager, { ...filter, limit: SHOWN.log });
    return { entries: entries.map(({ userId: _, result, ...row }) => ({ ...row, outcome: result.outcome })) };
  }
}

function describeEffect(effect: ListedEffect['effect']): string {
  return effect.kind === 'webhook' ? `sends to ${effect.url}` : `has the user ${effect.intent} ${effect.flow}`;
}
