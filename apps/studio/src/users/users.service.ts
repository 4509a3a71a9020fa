import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { identifiersOf, spokenNamesOf } from '@waymark/domain/engine';
import { getEnvironment } from '@waymark/domain/access';
import { loadFlowVersion } from '@waymark/domain/flows';
import { loadHistory, loadState, loadStateAt } from '@waymark/domain/states';
import { explainUser } from '@waymark/domain/analysis';
import { findUserPage, loadUser, type UserView, withNames } from '@waymark/domain/records';
import type { DataSource } from 'typeorm';
import type { RequestTurn } from '../access/request-turn.js';
import type { VersionQuery } from '../flows/version-query.dto.js';
import type { PictureResult } from '../reader/picture-result.js';
import { Reader } from '../reader/reader.js';
import { describeEvent } from './describe-event.js';
import type {
  RevisionQuery,
  UserFlowParams,
  UserParams,
  UserListQuery,
} from './user-params.dto.js';
import type { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { HistoryShown, ExplanationShown, UserListShown } from './user-views.js';

const PAGE = 50;

/** What can be seen of users. */
@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  /** A page of users by identifier (T17). */
  async list({ environment }: EnvironmentParams, query: UserListQuery): Promise<UserListShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { startsWith, after } = query;
    const filter = startsWith === undefined ? {} : { startsWith };
    const { users, ...page } = await findUserPage(this.dataSource, id, filter, {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    const identifiers = users.map(({ identifier }) => identifier);
    return { ...page, users: await withNames(this.dataSource, id, identifiers) };
  }

  async show({ environment, user }: UserParams): Promise<UserView> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return loadUser(this.dataSource, id, user);
  }

  async history(
    { environment, user, flow }: UserFlowParams,
    { version }: RevisionQuery,
  ): Promise<HistoryShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { manager } = this.dataSource;
    const history = await loadHistory(
      manager,
      id,
      user,
      flow,
      version === undefined ? {} : { version },
    );
    const { definition } = await loadFlowVersion(manager, flow, history.version);
    const [idOf, spokenName] = [identifiersOf(definition), spokenNamesOf(definition)];
    const nameOf = (uid: string): string => spokenName(idOf(uid));
    return {
      flow,
      version: history.version,
      entries: history.events.map((event) => describeEvent(event, nameOf)),
      deletedTo: history.deletedTo,
      hasEarlier: history.hasEarlier,
    };
  }

  /** Why the user sees what they see. */
  async explain(
    { environment, user, flow }: UserFlowParams,
    { version }: VersionQuery,
  ): Promise<ExplanationShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const explanation = await explainUser(this.dataSource, id, {
      flow,
      user,
      titles: true,
      quotes: false,
      ...(version !== undefined && { version }),
    });
    const { definition } = await loadFlowVersion(
      this.dataSource.manager,
      flow,
      explanation.version,
    );
    const spokenName = spokenNamesOf(definition);
    const names = explanation.active.map(({ block }) => [block, spokenName(block)]);
    return { ...explanation, names: Object.fromEntries(names) as Record<string, string> };
  }

  /** The flow in the colours of where the user is, or was after that revision. */
  async draw(
    { environment, user, flow }: UserFlowParams,
    { version = 0, at, folded, zone }: RevisionQuery,
    turn: RequestTurn,
  ): Promise<PictureResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { manager } = this.dataSource;
    const { definition } = await loadFlowVersion(manager, flow, version);
    const state =
      at === undefined
        ? await loadState(manager, id, user, flow, version)
        : (await loadStateAt(manager, id, user, flow, { version, at })).state;
    return this.reader.draw(turn, definition, {
      ...{ version, state },
      ...(folded && { folded }),
      ...(zone !== undefined && { zone }),
    });
  }
}
