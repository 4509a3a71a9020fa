import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import type { Context, FlowDefinition } from '@waymark/domain/engine';
import { findOlderTexts, knownTexts } from '@waymark/domain/flow-files';
import { assignUids, FlowVersion, loadSegments } from '@waymark/domain/flows';
import {
  type GroupHistory,
  loadContext,
  loadGroupHistory,
  loadNow,
} from '@waymark/domain/analysis';
import { userId } from '@waymark/domain/users';
import { Refusal } from '@waymark/service-kit/http';
import { type DataSource, MoreThan } from 'typeorm';
import type { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { RequestTurn } from '../access/request-turn.js';
import { Reader } from '../reader/reader.js';
import type { ShownBlocks, TextShown, TryResult } from './edit-views.js';
import type { ShowDto, TextsDto, TryDto } from './edit.dto.js';

/** Versions in which it is looked up since when a text reads as it does (X5). */
const MOST_VERSIONS = 50;

/** Shows drafts, and walks through them, as to users; nothing is written (I4). */
@Injectable()
export class TryService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  async walk(
    { environment }: EnvironmentParams,
    { text, steps, user, properties = {}, events = {}, language, folded }: TryDto,
    turn: RequestTurn,
  ): Promise<TryResult> {
    const definition = await this.define(turn, text);
    const context = await this.loadContext(environment, user);
    const attention = await this.loadHistory(environment, user, definition);
    const acting = {
      ...context,
      user: {
        ...context.user,
        properties: { ...context.user.properties, ...properties },
        events: { ...context.user.events, ...justDone(events, context) },
      },
    };
    const { state, ...walked } = await this.reader.walk(
      turn,
      definition,
      steps,
      acting,
      language,
      attention,
    );
    const { svg } = await this.reader.drawUntangled(turn, definition, {
      state,
      ...(folded && { folded }),
    });
    return {
      ...walked,
      ...(svg !== undefined && { svg }),
    };
  }

  async show({ text, ...which }: ShowDto, turn: RequestTurn): Promise<ShownBlocks> {
    return this.reader.show(turn, await this.define(turn, text), which);
  }

  /** Every text beside its translation, with what is missing or older than its original (X5). */
  async texts({ text, language }: TextsDto, turn: RequestTurn): Promise<TextShown[]> {
    const tag = canonicalTag(language);
    const draft = await this.reader.readDraft(turn, text);
    const versions = await this.dataSource.getRepository(FlowVersion).find({
      select: { flow: true, version: true, definition: true },
      where: { flow: draft.flow, version: MoreThan(0) },
      order: { version: 'DESC' },
      take: MOST_VERSIONS,
    });
    const older = findOlderTexts(
      draft,
      tag,
      versions.map(({ definition }) => definition),
    );
    return knownTexts(draft, tag).map(({ name, type, ...known }) => {
      // No identifier has a dot.
      const [block, field] = name.split('.') as [string, string];
      return { ...known, block, field, isLong: type === 'richText', isOlder: older.has(name) };
    });
  }

  /** The draft as it would be stored, with the present segments (Z6). */
  private async define(turn: RequestTurn, text: string): Promise<FlowDefinition> {
    const segments = await loadSegments(this.dataSource.manager);
    const draft = await this.reader.readDraft(turn, text, { segments });
    let made = 0;
    return assignUids(draft, [], () => `uid-${++made}`).definition;
  }

  /** What lets the flow wait for a user who is named; nobody in particular has no history (Q7). */
  private async loadHistory(
    environment: string,
    user: string | undefined,
    { attention }: FlowDefinition,
  ): Promise<GroupHistory | undefined> {
    if (user === undefined || !attention) return undefined;
    const { id } = await getEnvironment(this.dataSource, environment);
    return loadGroupHistory(this.dataSource, userId(id, user), attention.group, true);
  }

  /** A user identified just now, unless an existing one is named. */
  private async loadContext(environment: string, user: string | undefined): Promise<Context> {
    const now = await loadNow(this.dataSource);
    if (user === undefined) {
      const somebody = { identifier: 'somebody', properties: {}, createdAt: now, updatedAt: now };
      return { now, userId: 'somebody', user: somebody, group: null };
    }
    const { id } = await getEnvironment(this.dataSource, environment);
    const known = await loadContext(this.dataSource, userId(id, user), null, now);
    if (known) return known;
    throw new Refusal(404, `user ${JSON.stringify(user)} was never identified in this environment`);
  }
}

/** As often as that, at that moment. */
const justDone = (
  events: Readonly<Record<string, number>>,
  { now }: Context,
): NonNullable<Context['user']['events']> =>
  Object.fromEntries(
    Object.entries(events).map(([name, count]) => [name, { count, first: now, last: now }]),
  );

function canonicalTag(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0]!;
  } catch {
    throw new Refusal(
      400,
      `${JSON.stringify(language)} is not a language tag; write a tag of BCP 47, such as de, pt-BR or zh-Hant`,
    );
  }
}
