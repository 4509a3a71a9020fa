import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Environment, getEnvironment, listEnvironments } from '@waymark/domain/environments';
import type { DataSource } from 'typeorm';

@Injectable()
export class EnvironmentsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list(): Promise<{ environments: string[] }> {
    return { environments: (await listEnvironments(this.dataSource)).map(({ name }) => name) };
  }

  /** Throws `environment.unknown`. */
  get(name: string): Promise<Environment> {
    return getEnvironment(this.dataSource, name);
  }
}
