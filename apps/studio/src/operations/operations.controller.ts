import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  type StreamableFile,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { type ListedEffect, listEffects, listGivenUp, retryEffect } from '@waymark/domain/outbound';
import {
  type ListedReset,
  listResets,
  openOperatorAccess,
  ResetUsers,
  undoReset,
} from '@waymark/domain/states';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams, IdParams } from '../environments/environment-params.dto.js';
import { FlowParams } from '../flows/flow-params.dto.js';
import { streamWork } from '../work/stream-work.js';
import { listChanges } from './change-log.js';
import { LogQuery, ResetDto } from './operations.dto.js';
import type { ChangeRow, EffectsFound, ResetOutcome, Some } from './operations-views.js';

/** Rows of each list, and users named of a reset. */
const SHOWN = { effects: 200, log: 300, runs: 100, sample: 5 };

/** What was not delivered, resets of many users, and the log of changes. */
@Controller('api/:environment')
@ForViewers()
export class OperationsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get('effects')
  async effects(@Param() { environment }: EnvironmentParams): Promise<EffectsFound> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const limit = SHOWN.effects + 1;
    const [givenUp, waiting] = await Promise.all([
      listGivenUp(this.dataSource.manager, id, { limit }),
      listEffects(this.dataSource.manager, id, { limit, waitingOnly: true }),
    ]);
    const rows = waiting.map(({ effect, ...row }) => ({ ...row, what: describeEffect(effect) }));
    return { givenUp: firstOf(givenUp, SHOWN.effects), waiting: firstOf(rows, SHOWN.effects) };
  }

  @Post('effects/:id/retry')
  @ForEditors()
  @HttpCode(204)
  async retry(@Param() { environment, id }: IdParams, @AuditName() by: string): Promise<void> {
    const found = await getEnvironment(this.dataSource, environment);
    await retryEffect(this.dataSource, found.id, id, { by });
  }

  @Get('runs')
  async runs(@Param() { environment }: EnvironmentParams): Promise<Some<ListedReset>> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const runs = await listResets(this.dataSource.manager, id, { limit: SHOWN.runs + 1 });
    return firstOf(runs, SHOWN.runs);
  }

  @Post('runs/:id/undo')
  @ForEditors()
  @HttpCode(200)
  undo(@Param() { environment, id }: IdParams, @AuditName() by: string): StreamableFile {
    return streamWork(async ({ progress, signal }) => {
      const found = await getEnvironment(this.dataSource, environment);
      const options = { signal, onProgress: progress };
      return undoReset(openOperatorAccess(this.dataSource), found.id, id, options, { by });
    });
  }

  /** Or only counts the users it would be for. */
  @Post('flows/:flow/reset')
  @ForEditors()
  @HttpCode(200)
  reset(
    @Param() { environment, flow }: FlowParams,
    @Body() { version, when, force = false, dryRun = false, reason }: ResetDto,
    @AuditName() by: string,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ResetOutcome> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const { dataSource, catalogue, runner, changes } = openOperatorAccess(this.dataSource);
      const resolved = await catalogue.getFlow(flow, version === 0 ? 'uncommitted' : version);
      const sample: string[] = [];
      const options = {
        ...{ force, dryRun, signal, onProgress: progress },
        ...(when !== undefined && { when }),
        onMatched: (users: readonly string[]) =>
          sample.push(...users.slice(0, SHOWN.sample - sample.length)),
      };
      const author = { by, ...(reason && { reason }) };
      const resets = new ResetUsers(dataSource, runner, changes);
      const done = await resets.run(id, resolved, options, author);
      return { ...done, sample };
    });
  }

  @Get('log')
  async log(
    @Param() _params: EnvironmentParams,
    @Query() filter: LogQuery,
  ): Promise<Some<ChangeRow>> {
    const { manager } = this.dataSource;
    return firstOf(await listChanges(manager, { ...filter, limit: SHOWN.log + 1 }), SHOWN.log);
  }
}

/** Of a list that was read one row further than it is shown. */
const firstOf = <Row>(rows: readonly Row[], most: number): Some<Row> => ({
  rows: rows.slice(0, most),
  hasMore: rows.length > most,
});

function describeEffect(effect: ListedEffect['effect']): string {
  return effect.kind === 'webhook'
    ? `sends to ${effect.url}`
    : `has the user ${effect.intent} ${effect.flow}`;
}
