import { Controller, Get, Inject, Param, Query, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { loadFlowVersion } from '@waymark/domain/flows';
import {
  type FlowReport,
  listAnswers,
  reportFlow,
  reportSplit,
  type SplitReport,
} from '@waymark/domain/analysis';
import { findUsers, withNames } from '@waymark/domain/records';
import type { GraphNumbers } from '@waymark/picture';
import type { DataSource } from 'typeorm';
import { type RequestTurn, Turn } from '../access/request-turn.js';
import { ForViewers } from '../access/route-access.js';
import { Reader } from '../reader/reader.js';
import { streamWork } from '../work/stream-work.js';
import { FlowParams } from './flow-params.dto.js';
import type { AnswersShown, ReportShown, UsersAtBlock } from './flow-views.js';
import { AnswersQuery, ReportQuery, SplitQuery, UsersAtQuery } from './report-query.dto.js';

/** Users at a block that one page names. */
const NAMED = 100;

/** Where the users of a flow are. */
@Controller('api/:environment/flows/:flow')
@ForViewers()
export class ReportsController {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  /** Counts page by page and reports its progress; ends with the request. */
  @Get('report')
  report(
    @Param() { environment, flow }: FlowParams,
    @Query() { version, since, segment, had, folded }: ReportQuery,
    @Turn() turn: RequestTurn,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ReportShown> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const input = {
        flow,
        ...(version !== undefined && { version }),
        ...(since && { since }),
        ...inSegment(segment),
      };
      const onProgress = (users: number, done: number): void => progress({ users, done });
      const report = await reportFlow(this.dataSource, id, input, { signal, onProgress });
      const { definition } = await loadFlowVersion(
        this.dataSource.manager,
        flow,
        Number(report.version),
      );
      const options = {
        version: Number(report.version),
        numbers: numbersOf(report),
        ...(folded && { folded }),
      };
      return { report, ...(await this.reader.drawUntangled(turn, definition, options, had)) };
    });
  }

  /** The results of a split, by the way that users were sent (K3). */
  @Get('split')
  split(
    @Param() { environment, flow }: FlowParams,
    @Query() { version, since, segment, split, goalPath }: SplitQuery,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<SplitReport> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const input = {
        ...{ flow, split },
        ...(version !== undefined && { version }),
        ...(since && { since }),
        ...(goalPath && { goalPath }),
        ...inSegment(segment),
      };
      const onProgress = (users: number, done: number): void => progress({ users, done });
      return reportSplit(this.dataSource, id, input, { signal, onProgress });
    });
  }

  /** Who answered what, and when (Z3). */
  @Get('answers')
  async answers(
    @Param() { environment, flow }: FlowParams,
    @Query() { version = 0, before }: AnswersQuery,
  ): Promise<AnswersShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const page = before === undefined ? {} : { before };
    const { answers, ...more } = await listAnswers(this.dataSource, id, flow, version, page);
    const users = await withNames(
      this.dataSource,
      id,
      answers.map(({ user }) => user),
    );
    const named = answers.map((answer, index) => ({
      ...answer,
      at: answer.at.toISOString(),
      user: users[index]!,
    }));
    return { answers: named, ...more };
  }

  /** A page of users at a block or goal, in the order of their ids (ADR 18). */
  @Get('users')
  usersAt(
    @Param() { environment, flow }: FlowParams,
    @Query() { version, since, segment, block, goal, after }: UsersAtQuery,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<UsersAtBlock> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const filter = {
        flow,
        ...(goal ? { goal } : { block: block! }),
        ...(version !== undefined && { version }),
        ...(since && { since }),
        ...inSegment(segment),
      };
      const users: string[] = [];
      const named = () => withNames(this.dataSource, id, users);
      const onProgress = (done: number): void => progress({ users: users.length, done });
      for await (const { identifier } of findUsers(this.dataSource, id, filter, {
        signal,
        onProgress,
        ...(after !== undefined && { after }),
      })) {
        if (users.length === NAMED) return { users: await named(), next: users.at(-1)! };
        users.push(identifier);
      }
      return { users: await named() };
    });
  }
}

const inSegment = (segment: string | undefined): { when?: string } =>
  segment === undefined ? {} : { when: `segment(${JSON.stringify(segment)})` };

/**
 * The share of each path (E14) and who is in each item; how many are in each block, the page writes
 * beside the blocks.
 */
function numbersOf(report: FlowReport): GraphNumbers {
  const blocks = report.blocks.map(({ block, container, reached, now, paths }) => {
    return { block, reached, paths, ...(container !== undefined && now > 0 && { now }) };
  });
  return { ...report, blocks };
}
