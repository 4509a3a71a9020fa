import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { loadFlowVersion } from '@waymark/domain/flows';
import { type FlowReport, listAnswers, reportFlow } from '@waymark/domain/analysis';
import { findUsers, withNames } from '@waymark/domain/records';
import type { GraphNumbers } from '@waymark/picture';
import type { DataSource } from 'typeorm';
import type { RequestTurn } from '../access/request-turn.js';
import { Reader } from '../reader/reader.js';
import { streamWork } from '../work/stream-work.js';
import type { FlowParams } from './flow-params.dto.js';
import type { AnswersShown, ReportShown, UsersThere } from './flow-views.js';
import type { AnswersQuery, ReportQuery, UsersAtQuery } from './report-query.dto.js';

/** Users at a block who are named. */
const NAMED = 100;

/** Where the users of a flow are. */
@Injectable()
export class ReportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  /** Counts page by page, telling how far it is; ends with the request. */
  report(
    { environment, flow }: FlowParams,
    { version, since, had, folded }: ReportQuery,
    turn: RequestTurn,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ReportShown> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const input = { flow, ...(version !== undefined && { version }), ...(since && { since }) };
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

  /** Who answered what, and when (Z3). */
  async answers(
    { environment, flow }: FlowParams,
    { version = 0, before }: AnswersQuery,
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

  /** Looks page by page, until as many are found as are named. */
  usersAt(
    { environment, flow }: FlowParams,
    { version, since, block, goal }: UsersAtQuery,
  ): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<UsersThere> => {
      const { id } = await getEnvironment(this.dataSource, environment);
      const filter = {
        flow,
        ...(goal ? { goal } : { block: block! }),
        ...(version !== undefined && { version }),
        ...(since && { since }),
      };
      const users: string[] = [];
      const named = () => withNames(this.dataSource, id, users);
      const onProgress = (done: number): void => progress({ users: users.length, done });
      for await (const { identifier } of findUsers(this.dataSource, id, filter, {
        signal,
        onProgress,
      })) {
        if (users.length === NAMED) return { users: await named(), isAll: false };
        users.push(identifier);
      }
      return { users: await named(), isAll: true };
    });
  }
}

/** The share of each path (E14) and who is in each item; how many are in each block, the page writes beside the blocks. */
function numbersOf(report: FlowReport): GraphNumbers {
  const blocks = report.blocks.map(({ block, container, reached, now, paths }) => {
    return { block, reached, paths, ...(container !== undefined && now > 0 && { now }) };
  });
  return { ...report, blocks };
}
