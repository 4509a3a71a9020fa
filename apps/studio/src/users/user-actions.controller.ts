import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Post,
  StreamableFile,
} from '@nestjs/common';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { CommandDto, DeleteUserDto, RestoreDto } from './act.dto.js';
import { UserActionsService } from './user-actions.service.js';
import { UserFlowParams, UserParams } from './user-params.dto.js';
import type { ActionResult } from './user-views.js';

@Controller('api/:environment/users/:user')
@ForEditors()
export class UserActionsController {
  constructor(@Inject(UserActionsService) private readonly actions: UserActionsService) {}

  @Post('flows/:flow/command')
  @HttpCode(200)
  command(
    @Param() params: UserFlowParams,
    @Body() { reason, ...what }: CommandDto,
    @AuditName() by: string,
  ): Promise<ActionResult> {
    return this.actions.command(params, what, { by, ...(reason && { reason }) });
  }

  @Post('flows/:flow/restore')
  @HttpCode(200)
  restore(
    @Param() params: UserFlowParams,
    @Body() { reason, ...what }: RestoreDto,
    @AuditName() by: string,
  ): Promise<ActionResult> {
    return this.actions.restore(params, what, { by, ...(reason && { reason }) });
  }

  @Get('export')
  @ForViewers()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('content-disposition', 'attachment; filename="user.json"')
  async export(@Param() params: UserParams): Promise<StreamableFile> {
    return new StreamableFile(await this.actions.export(params));
  }

  @Post('delete')
  @HttpCode(204)
  delete(
    @Param() params: UserParams,
    @Body() { reason, ...what }: DeleteUserDto,
    @AuditName() by: string,
  ): Promise<void> {
    return this.actions.delete(params, what, { by, ...(reason && { reason }) });
  }
}
