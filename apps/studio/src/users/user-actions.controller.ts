import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  StreamableFile,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { deleteUser, exportUser } from '@waymark/domain/records';
import { commandState, openOperatorAccess, restoreState } from '@waymark/domain/states';
import { Refusal } from '@waymark/service-kit/http';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { CommandDto, DeleteUserDto, RestoreDto } from './act.dto.js';
import { UserFlowParams, UserParams } from './user-params.dto.js';
import type { ActionResult } from './user-views.js';

/** Moves, restores, exports and deletes users. */
@Controller('api/:environment/users/:user')
@ForEditors()
export class UserActionsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Post('flows/:flow/command')
  @HttpCode(200)
  async command(
    @Param() { environment, user, flow }: UserFlowParams,
    @Body() { version, intent, reason }: CommandDto,
    @AuditName() by: string,
  ): Promise<ActionResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    // A person requested this, so targeting does not matter.
    const wanted =
      intent === 'reset' || intent === 'start'
        ? ({ kind: intent, force: true } as const)
        : ({ kind: intent } as const);
    const command = {
      user,
      flow,
      version: version === 0 ? ('uncommitted' as const) : version,
      intent: wanted,
    };
    const author = { by, ...(reason && { reason }) };
    return resultOf(await commandState(openOperatorAccess(this.dataSource), id, command, author));
  }

  @Post('flows/:flow/restore')
  @HttpCode(200)
  async restore(
    @Param() { environment, user, flow }: UserFlowParams,
    @Body() { version, revision, undoes, reason }: RestoreDto,
    @AuditName() by: string,
  ): Promise<ActionResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const wanted = {
      ...{ user, flow, version, revision },
      ...(undoes !== undefined && { ifRevision: undoes }),
    };
    const author = { by, ...(reason && { reason }) };
    return resultOf(await restoreState(openOperatorAccess(this.dataSource), id, wanted, author));
  }

  /**
   * A stream, since the events of a user may not fit into memory; an unknown user is refused before
   * it begins.
   */
  @Get('export')
  @ForViewers()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('content-disposition', 'attachment; filename="user.json"')
  async export(@Param() { environment, user }: UserParams): Promise<StreamableFile> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const pieces = exportUser(this.dataSource, id, user);
    const first = await pieces.next();
    const all = continued(first.value as string, pieces);
    return new StreamableFile(Readable.from(all, { objectMode: false }));
  }

  @Post('delete')
  @HttpCode(204)
  async delete(
    @Param() { environment, user }: UserParams,
    @Body() { identifier, reason }: DeleteUserDto,
    @AuditName() by: string,
  ): Promise<void> {
    if (identifier !== user)
      throw new Refusal(400, 'to delete a user, type the identifier exactly as it is');
    const { id } = await getEnvironment(this.dataSource, environment);
    const { changes } = openOperatorAccess(this.dataSource);
    const author = { by, ...(reason && { reason }) };
    await deleteUser(this.dataSource, id, user, changes, author);
    await changes.flush?.();
  }
}

const resultOf = ({ tookEffect, revision }: ActionResult): ActionResult => ({
  tookEffect,
  revision,
});

async function* continued(first: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* pieces;
}
