import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/database/audit';
import { getEnvironment } from '@waymark/domain/access';
import { findOldestWriter } from '@waymark/domain/events';
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
import type { EndpointParams, NewEndpointDto } from './endpoint-params.dto.js';
import type { EndpointsShown, MadeEndpoint, TestResult } from './endpoint-views.js';

/** Younger transactions do not delay endpoints for long. */
const WORTH_A_NOTE_SECONDS = 5;

/** Where events are sent. */
@Injectable()
export class EndpointsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list(environment: string): Promise<EndpointsShown<ListedEndpoint>> {
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

  async add(environment: string, wanted: NewEndpointDto, author: Author): Promise<MadeEndpoint> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const { secret } = await addEndpoint(this.dataSource, id, wanted, author);
    return { secret };
  }

  async remove({ environment, name }: EndpointParams, author: Author): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await removeEndpoint(this.dataSource, id, name, author);
  }

  /** Sends from this machine; whatever the receiver answers, even nothing, is an answer. */
  async test({ environment, name }: EndpointParams): Promise<TestResult> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await getEndpoint(this.dataSource.manager, id, name);
    const answer = testEndpoint(this.dataSource.manager, id, name);
    return answer.catch((error: Error) => ({ status: null, text: error.message }));
  }

  async pause({ environment, name }: EndpointParams, author: Author): Promise<void> {
    await pauseEndpoint(
      this.dataSource,
      (await getEnvironment(this.dataSource, environment)).id,
      name,
      author,
    );
  }

  async resume({ environment, name }: EndpointParams, author: Author): Promise<void> {
    await resumeEndpoint(
      this.dataSource,
      (await getEnvironment(this.dataSource, environment)).id,
      name,
      author,
    );
  }
}
