import { Controller, Get } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { listEnvironments } from '@waymark/domain/environments';
import type { DataSource } from 'typeorm';
import { ForViewers } from '../access/route-access.js';

@Controller('api/environments')
@ForViewers()
export class EnvironmentsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  async list(): Promise<{ environments: string[] }> {
    return { environments: (await listEnvironments(this.dataSource)).map(({ name }) => name) };
  }
}
