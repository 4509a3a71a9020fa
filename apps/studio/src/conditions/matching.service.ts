import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import {
  countMatching,
  findMatchingPage,
  type MatchingUsers,
  withNames,
} from '@waymark/domain/records';
import { expandCondition, readCondition } from '@waymark/domain/states';
import type { DataSource } from 'typeorm';
import type { RequestTurn } from '../access/request-turn.js';
import { Reader } from '../reader/reader.js';
import type { MatchingUsersPage } from './condition-views.js';
import type { MatchingPageDto } from './conditions.dto.js';

const PATIENCE_MS = 2_000;
/** Users on a page. */
const NAMED = 100;

/** Which users a condition means: how many while it is written (T15), and who they are (T17). */
@Injectable()
export class MatchingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  async count(environment: string, when: string, turn: RequestTurn): Promise<MatchingUsers> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return countMatching(this.dataSource, id, await this.options(when, turn));
  }

  async find(
    environment: string,
    { when, after }: MatchingPageDto,
    turn: RequestTurn,
  ): Promise<MatchingUsersPage> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const page = await findMatchingPage(this.dataSource, id, {
      ...(await this.options(when, turn)),
      limit: NAMED,
      ...(after !== undefined && { after }),
    });
    return { ...page, users: await withNames(this.dataSource, id, page.users) };
  }

  private async options(written: string, turn: RequestTurn) {
    const when = await expandCondition(this.dataSource.manager, written);
    const { mentionsGroup, events } = readCondition(when);
    return {
      groups: mentionsGroup,
      events,
      holds: (contexts: Parameters<Reader['matching']>[2]) =>
        this.reader.matching(turn, when, contexts),
      deadline: AbortSignal.any([turn.signal, AbortSignal.timeout(PATIENCE_MS)]),
    };
  }
}
