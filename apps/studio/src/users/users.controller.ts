import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import type { Explanation } from '@waymark/domain/impact';
import { AskedFrom, type Asker } from '../access/asker.js';
import type { UserView } from '@waymark/domain/user-records';
import { ForViewers } from '../access/route-access.js';
import { VersionQuery } from '../flows/version-query.dto.js';
import type { Drawn } from '../reader/drawn.js';
import { RevisionQuery } from './revision-query.dto.js';
import { UserFlowParams, UserParams } from './user-params.dto.js';
import type { CourseShown } from './user-views.js';
import { UsersService } from './users.service.js';

@Controller('api/:environment/users/:user')
@ForViewers()
export class UsersController {
  constructor(@Inject(UsersService) private readonly users: UsersService) {}

  @Get()
  show(@Param() params: UserParams): Promise<UserView> {
    return this.users.show(params);
  }

  @Get('flows/:flow')
  course(@Param() params: UserFlowParams, @Query() query: RevisionQuery): Promise<CourseShown> {
    return this.users.course(params, query);
  }

  @Get('flows/:flow/why')
  why(@Param() params: UserFlowParams, @Query() query: VersionQuery): Promise<Explanation> {
    return this.users.explain(params, query);
  }

  @Get('flows/:flow/picture')
  draw(@Param() params: UserFlowParams, @Query() query: RevisionQuery, @AskedFrom() asker: Asker): Promise<Drawn> {
    return this.users.draw(params, query, asker);
  }
}
