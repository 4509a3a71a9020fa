import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { loadPropertyPaths, loadSeenProperties } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import { Kept } from '../work/kept.js';
import type { PropertyNames } from './property-names.js';

type Seen = Awaited<ReturnType<typeof loadSeenProperties>>;

/** Which properties there are, for checks and completion. */
@Injectable()
export class SeenPropertiesService {
  private readonly seen: Kept<Seen>;
  private readonly paths: Kept<PropertyNames>;

  constructor(@InjectDataSource() { manager }: DataSource) {
    this.seen = new Kept(() => loadSeenProperties(manager));
    this.paths = new Kept(() => loadPropertyPaths(manager));
  }

  load(): Promise<Seen> {
    return this.seen.get();
  }

  names(): Promise<PropertyNames> {
    return this.paths.get();
  }
}
