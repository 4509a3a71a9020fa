import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { identifiersOf } from '@waymark/domain/engine';
import { getEnvironment } from '@waymark/domain/environments';
import { loadFlowVersion } from '@waymark/domain/flows';
import { loadHistory, loadState } from '@waymark/domain/flow-states';
import { type Explanation, explainUser } from '@waymark/domain/impact';
import { loadUser, type UserView } from '@waymark/domain/user-records';
import type { DataSource } from 'typeorm';
import type { Asker } from '../access/asker.js';
import type { VersionQuery } from '../flows/version-query.dto.js';
import type { Drawn } from '../reader/drawn.js';
import { Reader } from '../reader/reader.js';
import { describeHappening } from './describe-happening.js';
import type { RevisionQuery } from './revision-query.dto.js';
import type { UserFlowParams, UserParams } from './user-params.dto.js';
import type { CourseShown } from './user-views.js';

/** What can be seen of users. */
@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  async show({ environment, user }: UserParams): Promise<UserView> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return loadUser(this.dataSource, id, user);
  }

  async course({ environment, user, flow }: UserFlowParams, { version }: RevisionQuery): Promise<CourseShown> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { manager } = this.dataSource;
    const history = await loadHistory(manager, id, user, flow, version === undefined ? {} : { version });
    const { definition } = await loadFlowVersion(manager, flow, history.version);
    const nameOf = identifiersOf(definition);
    return { flow, version: history.version, happenings: history.events.map((event) => describeHappening(event, nameOf)) };
  }

  /** Why the user sees what they see. */
  async explain({ environment, user, flow }: UserFlowParams, { version }: VersionQuery): Promise<Explanation> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return explainUser(this.dataSource, id, { flow, user, ...(version !== undefined && { version }) });
  }

  /** The flow in the colours of where the user is, or was after that revision. */
  async draw({ environment, user, flow }: UserFlowParams, { version = 0, at }: RevisionQuery, asker: Asker): Promise<Drawn> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { manager } = this.dataSource;
    const { definition } = await loadFlowVersion(manager, flow, version);
    const state =
      at === undefined
        ? await loadState(manager, id, user, flow, version)
        : (await loadHistory(manager, id, user, flow, { version, at })).state;
    return this.reader.draw(asker, definition, { version, state });
  }
}
