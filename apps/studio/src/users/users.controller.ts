import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Turn, type RequestTurn } from '../access/request-turn.js';
import type { UserView } from '@waymark/domain/records';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { ForViewers } from '../access/route-access.js';
import { VersionQuery } from '../flows/version-query.dto.js';
import type { PictureResult } from '../reader/picture-result.js';
import { RevisionQuery, UserFlowParams, UserParams, UserListQuery } from './user-params.dto.js';
import type { HistoryShown, ExplanationShown, UserListShown } from './user-views.js';
import { UsersService } from './users.service.js';

@Controller('api/:environment/users')
@ForViewers()
export class UsersController {
  constructor(@Inject(UsersService) private readonly users: UsersService) {}

  @Get()
  list(@Param() params: EnvironmentParams, @Query() query: UserListQuery): Promise<UserListShown> {
    return this.users.list(params, query);
  }

  @Get(':user')
  show(@Param() params: UserParams): Promise<UserView> {
    return this.users.show(params);
  }

  @Get(':user/flows/:flow')
  history(@Param() params: UserFlowParams, @Query() query: RevisionQuery): Promise<HistoryShown> {
    return this.users.history(params, query);
  }

  @Get(':user/flows/:flow/why')
  why(@Param() params: UserFlowParams, @Query() query: VersionQuery): Promise<ExplanationShown> {
    return this.users.explain(params, query);
  }

  @Get(':user/flows/:flow/picture')
  draw(
    @Param() params: UserFlowParams,
    @Query() query: RevisionQuery,
    @Turn() turn: RequestTurn,
  ): Promise<PictureResult> {
    return this.users.draw(params, query, turn);
  }
}
