import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { loadSeenProperties } from '@waymark/domain/users';
import type { DataSource } from 'typeorm';
import type { PropertyNames } from './property-names.js';

type Seen = Awaited<ReturnType<typeof loadSeenProperties>>;

const KEPT_MS = 60_000;

/** Which properties there are, for checks and completion. Whoever types asks for it again and again: it is kept for a minute. */
@Injectable()
export class SeenPropertiesService {
  private kept: { until: number; seen: Promise<Seen> } | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  load(): Promise<Seen> {
    if (this.kept && this.kept.until > Date.now()) return this.kept.seen;
    const seen = loadSeenProperties(this.dataSource.manager);
    this.kept = { until: Date.now() + KEPT_MS, seen };
    seen.catch(() => (this.kept = undefined));
    return seen;
  }

  async names(): Promise<PropertyNames> {
    const { user, group } = await this.load();
    return { user: [...user.names].sort(), group: [...group.names].sort() };
  }
}
