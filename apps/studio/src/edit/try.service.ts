import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import type { Context, FlowDefinition, FlowDraft } from '@waymark/domain/engine';
import { findOlderTexts, knownTexts } from '@waymark/domain/flow-files';
import { assignUids, FlowVersion } from '@waymark/domain/flows';
import { loadContext, loadNow } from '@waymark/domain/analysis';
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
    { text, steps, user, properties = {}, language, folded }: TryDto,
    turn: RequestTurn,
  ): Promise<TryResult> {
    const definition = define(await this.reader.readDraft(turn, text));
    const context = await this.loadContext(environment, user);
    const acting = {
      ...context,
      user: { ...context.user, properties: { ...context.user.properties, ...properties } },
    };
    const { state, ...walked } = await this.reader.walk(turn, definition, steps, acting, language);
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
    return this.reader.show(turn, define(await this.reader.readDraft(turn, text)), which);
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

  /** A user identified just now, unless an existing one is named. */
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

function define(draft: FlowDraft): FlowDefinition {
  let made = 0;
  return assignUids(draft, [], () => `uid-${++made}`).definition;
}
