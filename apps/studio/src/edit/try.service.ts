import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/environments';
import {
  compile,
  type Context,
  exposedBlocks,
  type FlowDefinition,
  type FlowDraft,
  type FlowState,
  isActive,
} from '@waymark/domain/engine';
import { assignUids } from '@waymark/domain/flows';
import { loadContext, loadNow, walkThrough } from '@waymark/domain/impact';
import { userId } from '@waymark/domain/users';
import { Refusal } from '@waymark/service-kit/errors';
import type { DataSource } from 'typeorm';
import type { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { Asker } from '../access/asker.js';
import { Reader } from '../reader/reader.js';
import type { Tried } from './edit-views.js';
import type { TryDto } from './edit.dto.js';

/** Walks through drafts as users would; nothing is written (I4). */
@Injectable()
export class TryService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  async walk({ environment }: EnvironmentParams, { text, steps, user, properties = {} }: TryDto, asker: Asker): Promise<Tried> {
    const definition = define(await this.reader.readDraft(asker, text));
    const context = await this.loadContext(environment, user);
    const acting = { ...context, user: { ...context.user, properties: { ...context.user.properties, ...properties } } };
    const { simulation, state } = walkThrough({ definition, steps, context: acting });
    const { svg } = await this.reader.drawUntangled(asker, definition, { state });
    return { steps: simulation.steps, choices: choicesOf(definition, state), ...(svg !== undefined && { svg }) };
  }

  /** Somebody who was identified at this very moment, unless it is a user who is there. */
  private async loadContext(environment: string, user: string | undefined): Promise<Context> {
    const now = await loadNow(this.dataSource);
    if (user === undefined) {
      const somebody = { identifier: 'somebody', properties: {}, createdAt: now, updatedAt: now };
      return { now, user: somebody, group: null };
    }
    const { id } = await getEnvironment(this.dataSource, environment);
    const known = await loadContext(this.dataSource, userId(id, user), null, now);
    if (known) return known;
    throw new Refusal(404, `user ${JSON.stringify(user)} was never identified in this environment`);
  }
}

function define(draft: FlowDraft): FlowDefinition {
  let made = 0;
  return assignUids(draft, [], () => `uid-${++made}`).definition;
}

function choicesOf(definition: FlowDefinition, state: FlowState): Tried['choices'] {
  const active = exposedBlocks(compile(definition)).filter(({ uid }) => isActive(state, uid));
  return active.map(({ id, names }) => ({ block: id, names }));
}
