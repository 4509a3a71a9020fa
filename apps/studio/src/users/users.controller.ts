import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { explainUser } from '@waymark/domain/analysis';
import { identifiersOf, spokenNamesOf } from '@waymark/domain/engine';
import { loadFlowVersion } from '@waymark/domain/flows';
import { findUserPage, loadUser, type UserView, withNames } from '@waymark/domain/records';
import { loadHistory, loadState, loadStateAt } from '@waymark/domain/states';
import type { DataSource } from 'typeorm';
import { Turn, type RequestTurn } from '../access/request-turn.js';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { VersionQuery } from '../flows/version-query.dto.js';
import type { PictureResult } from '../reader/picture-result.js';
import { Reader } from '../reader/reader.js';
import { describeEvent } from './describe-event.js';
import { RevisionQuery, UserFlowParams, UserListQuery, UserParams } from './user-params.dto.js';
import type { ExplanationShown, HistoryShown, UserListShown } from './user-views.js';

const PAGE = 50;

/** Shows users, their states, and why they see what they see. */
@Controller('api/:environment/users')
@ForViewers()
export class UsersController {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  /** A page of users by identifier (T17). */
  @Get()
  async list(
    @Param() { environment }: EnvironmentParams,
    @Query() { startsWith, after }: UserListQuery,
  ): Promise<UserListShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const filter = startsWith === undefined ? {} : { startsWith };
    const { users, ...page } = await findUserPage(this.dataSource, id, filter, {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    const identifiers = users.map(({ identifier }) => identifier);
    return { ...page, users: await withNames(this.dataSource, id, identifiers) };
  }

  @Get(':user')
  async show(@Param() { environment, user }: UserParams): Promise<UserView> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return loadUser(this.dataSource, id, user);
  }

  @Get(':user/flows/:flow')
  async history(
    @Param() { environment, user, flow }: UserFlowParams,
    @Query() { version }: RevisionQuery,
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
  @Get(':user/flows/:flow/why')
  async explain(
    @Param() { environment, user, flow }: UserFlowParams,
    @Query() { version }: VersionQuery,
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
  @Get(':user/flows/:flow/picture')
  async draw(
    @Param() { environment, user, flow }: UserFlowParams,
    @Query() { version = 0, at, folded, zone }: RevisionQuery,
    @Turn() turn: RequestTurn,
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
