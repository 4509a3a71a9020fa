import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { findOldestWriter, WORTH_A_NOTE_SECONDS } from '@waymark/domain/events';
import {
  addEndpoint,
  getEndpoint,
  type ListedEndpoint,
  listEndpoints,
  MOST_BACKLOG,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  testEndpoint,
} from '@waymark/domain/outbound';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { EndpointParams, NewEndpointDto } from './endpoint-params.dto.js';
import type { EndpointsShown, MadeEndpoint, TestResult } from './endpoint-views.js';

/** Where events are sent. */
@Controller('api/:environment/endpoints')
@ForEditors()
export class EndpointsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  @ForViewers()
  async list(@Param() { environment }: EnvironmentParams): Promise<EndpointsShown<ListedEndpoint>> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { manager } = this.dataSource;
    const endpoints = await listEndpoints(manager, id);
    const writer = endpoints.length > 0 ? await findOldestWriter(manager) : null;
    return {
      endpoints,
      mostBacklog: MOST_BACKLOG,
      holdingBack: writer && writer.seconds >= WORTH_A_NOTE_SECONDS ? writer : null,
    };
  }

  @Post()
  @HttpCode(200)
  async add(
    @Param() { environment }: EnvironmentParams,
    @Body() wanted: NewEndpointDto,
    @AuditName() by: string,
  ): Promise<MadeEndpoint> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { secret } = await addEndpoint(this.dataSource, id, wanted, { by });
    return { secret };
  }

  @Post(':name/remove')
  @HttpCode(204)
  async remove(
    @Param() { environment, name }: EndpointParams,
    @AuditName() by: string,
  ): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await removeEndpoint(this.dataSource, id, name, { by });
  }

  /** Sends from this machine; a receiver that does not answer is a result too. */
  @Post(':name/test')
  @HttpCode(200)
  async test(@Param() { environment, name }: EndpointParams): Promise<TestResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await getEndpoint(this.dataSource.manager, id, name);
    const answer = testEndpoint(this.dataSource.manager, id, name);
    return answer.catch((error: Error) => ({ status: null, text: error.message }));
  }

  @Post(':name/pause')
  @HttpCode(204)
  async pause(
    @Param() { environment, name }: EndpointParams,
    @AuditName() by: string,
  ): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await pauseEndpoint(this.dataSource, id, name, { by });
  }

  @Post(':name/resume')
  @HttpCode(204)
  async resume(
    @Param() { environment, name }: EndpointParams,
    @AuditName() by: string,
  ): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await resumeEndpoint(this.dataSource, id, name, { by });
  }
}
