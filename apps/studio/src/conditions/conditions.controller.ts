import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Json } from '@waymark/domain/targeting';
import type { MatchingUsers } from '@waymark/domain/records';
import { Turn, type RequestTurn } from '../access/request-turn.js';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { MatchingDto, MatchingPageDto, PropertyValuesQuery } from './conditions.dto.js';
import { MatchingService } from './matching.service.js';
import type { ConditionNames, MatchingUsersPage } from './condition-views.js';
import { SeenPropertiesService } from './seen-properties.service.js';

/** What helps to write a condition. */
@Controller('api/:environment')
@ForViewers()
export class ConditionsController {
  constructor(
    @Inject(SeenPropertiesService) private readonly seen: SeenPropertiesService,
    @Inject(MatchingService) private readonly matching: MatchingService,
  ) {}

  @Get('property-names')
  names(@Param() _params: EnvironmentParams): Promise<ConditionNames> {
    return this.seen.names();
  }

  @Get('property-values')
  values(
    @Param() _params: EnvironmentParams,
    @Query() query: PropertyValuesQuery,
  ): Promise<Json[]> {
    return this.seen.values(query);
  }

  /** A condition may be long; nothing is changed. */
  @Post('matching')
  @HttpCode(200)
  count(
    @Param() { environment }: EnvironmentParams,
    @Body() { when }: MatchingDto,
    @Turn() turn: RequestTurn,
  ): Promise<MatchingUsers> {
    return this.matching.count(environment, when, turn);
  }

  /** As `count`. */
  @Post('matching/users')
  @HttpCode(200)
  find(
    @Param() { environment }: EnvironmentParams,
    @Body() asked: MatchingPageDto,
    @Turn() turn: RequestTurn,
  ): Promise<MatchingUsersPage> {
    return this.matching.find(environment, asked, turn);
  }
}
