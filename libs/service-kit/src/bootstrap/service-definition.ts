import type { Type } from '@nestjs/common';
import type { TakesUpgrade } from '../requests/index.js';
import type { ServiceSettings, Setting, SettingsOf } from '../config/index.js';

/** A table of settings that has at least those of every service. */
export type ServiceTable = { readonly [Key in keyof ServiceSettings]: Setting<ServiceSettings[Key]> } & Record<
  string,
  Setting<unknown>
>;

/** What makes one service of the kit: its name, its routes and its settings. */
export interface ServiceDefinition<Table extends ServiceTable = ServiceTable> {
  name: string;
  /** One sentence for the docs. */
  description: string;
  module: Type;
  settings: Table;
  /** Which requests leave HTTP for another protocol; none where it is missing. */
  takesUpgrade?: TakesUpgrade;
  /** Problems between settings, each as a sentence without values; none when all is right. */
  check?(settings: SettingsOf<Table>): string[];
}

/** Identity function: infers the settings' type. */
export const defineService = <Table extends ServiceTable>(definition: ServiceDefinition<Table>): ServiceDefinition<Table> =>
  definition;
