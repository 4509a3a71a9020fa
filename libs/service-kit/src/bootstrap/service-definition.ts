import type { Type } from '@nestjs/common';
import type { TakesUpgrade } from '../http/upgrades.js';
import type { ServiceSettings } from '../config/service-settings.js';

/** What makes one service of the kit: its name, its routes and its settings. */
export interface ServiceDefinition {
  name: string;
  /** What its connections are called in `pg_stat_activity`; its name where it is missing. */
  connections?: string;
  /** One sentence for the docs. */
  description: string;
  module: Type;
  settings: Type<ServiceSettings>;
  /** Which requests leave HTTP for another protocol; none where it is missing. */
  takesUpgrade?: TakesUpgrade;
}
