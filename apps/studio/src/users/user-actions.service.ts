import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/database/audit';
import { getEnvironment } from '@waymark/domain/access';
import { commandState, openOperatorAccess, restoreState } from '@waymark/domain/states';
import { deleteUser, exportUser } from '@waymark/domain/records';
import { Refusal } from '@waymark/service-kit/http';
import type { DataSource } from 'typeorm';
import type { CommandDto, DeleteUserDto, RestoreDto } from './act.dto.js';
import type { UserFlowParams, UserParams } from './user-params.dto.js';
import type { ActionResult } from './user-views.js';

/** What is done to users. */
@Injectable()
export class UserActionsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async command(
    { environment, user, flow }: UserFlowParams,
    { version, intent }: CommandDto,
    author: Author,
  ): Promise<ActionResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    // A person requested this, so targeting does not matter.
    const wanted =
      intent === 'reset' || intent === 'start'
        ? ({ kind: intent, force: true } as const)
        : ({ kind: intent } as const);
    const asked = {
      user,
      flow,
      version: version === 0 ? ('uncommitted' as const) : version,
      intent: wanted,
    };
    return actedOf(await commandState(openOperatorAccess(this.dataSource), id, asked, author));
  }

  async restore(
    { environment, user, flow }: UserFlowParams,
    { version, revision, undoes }: RestoreDto,
    author: Author,
  ): Promise<ActionResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const wanted = {
      ...{ user, flow, version, revision },
      ...(undoes !== undefined && { ifRevision: undoes }),
    };
    return actedOf(await restoreState(openOperatorAccess(this.dataSource), id, wanted, author));
  }

  /** A stream, since the events of a user may be more than memory has room for; a user who is unknown is refused before. */
  async export({ environment, user }: UserParams): Promise<Readable> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const pieces = exportUser(this.dataSource, id, user);
    const first = await pieces.next();
    return Readable.from(continued(first.value as string, pieces), { objectMode: false });
  }

  async delete(
    { environment, user }: UserParams,
    { identifier }: DeleteUserDto,
    author: Author,
  ): Promise<void> {
    if (identifier !== user)
      throw new Refusal(400, 'to delete a user, type the identifier exactly as it is');
    const { id } = await getEnvironment(this.dataSource, environment);
    const { changes } = openOperatorAccess(this.dataSource);
    await deleteUser(this.dataSource, id, user, changes, author);
    await changes.flush?.();
  }
}

const actedOf = ({ tookEffect, revision }: ActionResult): ActionResult => ({
  tookEffect,
  revision,
});

async function* continued(first: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* pieces;
}
