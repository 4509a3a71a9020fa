import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Json } from '@waymark/domain/targeting';
import { loadPropertyPaths, loadPropertyValues, loadSeenProperties } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { Cached } from '../work/cached.js';
import type { PropertyValuesQuery } from './conditions.dto.js';
import type { PropertyNames } from './condition-views.js';

type Seen = Awaited<ReturnType<typeof loadSeenProperties>>;

/** Which properties there are, for checks and completion. */
@Injectable()
export class SeenPropertiesService {
  private readonly seen: Cached<Seen>;
  private readonly paths: Cached<PropertyNames>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    const { manager } = dataSource;
    this.seen = new Cached(() => loadSeenProperties(manager));
    this.paths = new Cached(() => loadPropertyPaths(manager));
  }

  load(): Promise<Seen> {
    return this.seen.get();
  }

  values({ of, name }: PropertyValuesQuery): Promise<Json[]> {
    return loadPropertyValues(this.dataSource.manager, of, name);
  }

  names(): Promise<PropertyNames> {
    return this.paths.get();
  }
}
