import { Controller, Get, Inject } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Public } from '../http/route-access.js';
import { BUILD } from '../config/build.js';
import { ErrorEnvelope } from '../http/errors/error-envelope.js';
import { Readiness } from './readiness.js';

/** Injects the name of the service, such as `users-api`. */
export const SERVICE_NAME = Symbol('service name');

export class HealthAnswer {
  @ApiProperty({ description: 'The name of the service', example: 'users-api' })
  application: string;

  @ApiProperty({ example: 200 })
  status: number;

  @ApiProperty({ description: 'The release', example: '1.2.0' })
  version: string;

  @ApiProperty({ description: 'The commit that it was built from', example: '3f1c0a9d4e21' })
  commit: string;
}

/** Tells whether the process lives, and whether it should get requests. */
@ApiTags('operations')
@Public()
@Controller('health')
export class HealthController {
  constructor(
    @Inject(SERVICE_NAME) private readonly application: string,
    private readonly readiness: Readiness,
  ) {}

  @Get()
  @ApiOkResponse({ type: HealthAnswer })
  get(): HealthAnswer {
    return { application: this.application, status: 200, ...BUILD };
  }

  @Get('live')
  @ApiOkResponse({
    type: HealthAnswer,
    description: 'The process answers; says nothing of the database',
  })
  live(): HealthAnswer {
    return this.get();
  }

  @Get('ready')
  @ApiOkResponse({
    type: HealthAnswer,
    description: 'The database is reachable and its migrations are current',
  })
  @ApiServiceUnavailableResponse({
    type: ErrorEnvelope,
    description: 'Not ready, or shutting down',
  })
  async ready(): Promise<HealthAnswer> {
    await this.readiness.check();
    return this.get();
  }
}
