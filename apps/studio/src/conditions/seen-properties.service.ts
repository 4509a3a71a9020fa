import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Json } from '@waymark/domain/targeting';
import { loadSegments } from '@waymark/domain/flows';
import {
  loadPropertyPaths,
  loadPropertyValues,
  loadSeenEvents,
  loadSeenProperties,
} from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { Cached } from '../work/cached.js';
import type { PropertyValuesQuery } from './conditions.dto.js';
import type { ConditionNames, PropertyNames } from './condition-views.js';

type Seen = Awaited<ReturnType<typeof loadSeenProperties>>;

/** Which properties there are, for checks and completion. */
@Injectable()
export class SeenPropertiesService {
  private readonly seen: Cached<Seen>;
  private readonly seenEvents: Cached<Awaited<ReturnType<typeof loadSeenEvents>>>;
  private readonly paths: Cached<PropertyNames>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    const { manager } = dataSource;
    this.seen = new Cached(() => loadSeenProperties(manager));
    this.seenEvents = new Cached(() => loadSeenEvents(manager));
    this.paths = new Cached(() => loadPropertyPaths(manager));
  }

  load(): Promise<Seen> {
    return this.seen.get();
  }

  /** What users did. */
  events(): ReturnType<typeof loadSeenEvents> {
    return this.seenEvents.get();
  }

  values({ of, name }: PropertyValuesQuery): Promise<Json[]> {
    return loadPropertyValues(this.dataSource.manager, of, name);
  }

  async names(): Promise<ConditionNames> {
    const segments = Object.keys(await loadSegments(this.dataSource.manager));
    const { names } = await this.events();
    return { ...(await this.paths.get()), events: [...names].sort(), segments };
  }
}
