import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/database/audit';
import {
  type FlowDraft,
  type Known,
  MIGRATION_STRATEGIES,
  transitionNames,
  type Field,
} from '@waymark/domain/engine';
import { getEnvironment, listUnverified } from '@waymark/domain/access';
import { STANDARD_FIELDS } from '@waymark/domain/flow-files';
import {
  archiveFlow,
  commitVersion,
  type Committed,
  Flow,
  flowText,
  loadFlowVersion,
  loadLatestVersion,
  publishFlows,
  textHash,
  listAttentionGroups,
  loadSegments,
} from '@waymark/domain/flows';
import { planFlows } from '@waymark/domain/analysis';
import { type DataSource, IsNull } from 'typeorm';
import type { RequestTurn } from '../access/request-turn.js';
import { MANY_BLOCKS, Reader } from '../reader/reader.js';
import { SeenPropertiesService } from '../conditions/seen-properties.service.js';
import type { FlowParams } from '../flows/flow-params.dto.js';
import { titlesOf } from '../flows/flows.controller.js';
import { streamWork } from '../work/stream-work.js';
import type {
  Checked,
  CommitPreview,
  DraftPicture,
  Saved,
  Source,
  Vocabulary,
  Preview,
  Previews,
} from './edit-views.js';
import type { CheckDto, CommitDto, SaveDto } from './edit.dto.js';

/** Users that are looked at before a commit. */
const SAMPLE = 10_000;
const TYPES = ['card', 'modal', 'checklist', 'tour', 'hints', 'branch'] as const;

/** As JSON. Flows that people write have a small part of it. */
const MOST_LETTERS = 400_000;

type Node = Readonly<Record<string, unknown>>;

/** How flows are changed. */
@Injectable()
export class EditService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SeenPropertiesService) private readonly seen: SeenPropertiesService,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  vocabulary(): Vocabulary {
    const paths = Object.fromEntries(TYPES.map((type) => [type, transitionNames({ type })]));
    return { fields: STANDARD_FIELDS, paths };
  }

  async source(flow: string): Promise<Source> {
    const { manager } = this.dataSource;
    const text = flowText(await loadFlowVersion(manager, flow, 0));
    return { text, sha256: textHash(text), latest: await loadLatestVersion(manager, flow) };
  }

  /**
   * Reports what is wrong before it draws: the boxes of a large flow take longer to arrange than a
   * pause in typing (T9).
   */
  check({ text, draw = false, had, folded }: CheckDto, turn: RequestTurn): StreamableFile {
    return streamWork(async ({ progress }): Promise<DraftPicture> => {
      const { draft, problems } = await this.reader.parse(turn, text, await this.known());
      const checked: Checked = {
        problems,
        flow: draft?.flow ?? null,
        ...(draft && { previews: previewsOf(draft) }),
      };
      progress(checked);
      if (!draft) return { noPicture: 'error' };
      return draft.blocks.length > MANY_BLOCKS && !draw
        ? { noPicture: 'large' }
        : this.draw(turn, draft, had, folded);
    });
  }

  /** Refused with the differences if another text was saved in between (T6). */
  async save({ text, ifMatch }: SaveDto, author: Author, turn: RequestTurn): Promise<Saved> {
    const draft = await this.reader.readDraft(turn, text);
    await publishFlows(
      this.dataSource,
      [draft],
      author,
      undefined,
      new Map([[draft.flow, { text, ifMatch }]]),
    );
    return { flow: draft.flow, sha256: textHash(text) };
  }

  /**
   * What a commit of the draft would do to users of the environment, by each strategy, from a
   * sample (I2).
   */
  async preview({ environment, flow }: FlowParams): Promise<CommitPreview> {
    const { id, releasesByPin } = await getEnvironment(this.dataSource, environment);
    const latest = await loadLatestVersion(this.dataSource.manager, flow);
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, 0);
    const plans = await planFlows(this.dataSource, id, {
      definitions: [definition],
      strategies: MIGRATION_STRATEGIES,
      sample: SAMPLE,
      titles: true,
    });
    const last = latest && (await loadFlowVersion(this.dataSource.manager, flow, latest));
    return {
      latest,
      releasesByPin,
      titles: last ? titlesOf(last.definition) : {},
      differences: plans[0]!.differences.map(({ text }) => text),
      ...(plans[0]!.pinned !== undefined && { pinned: plans[0]!.pinned }),
      plans: Object.fromEntries(plans.map(({ migration, users }) => [migration, users])),
      ...(plans[0]!.sampled && { sampled: plans[0]!.sampled.users }),
    };
  }

  commit(flow: string, words: CommitDto, author: Author): Promise<Committed> {
    return commitVersion(this.dataSource, flow, words, author);
  }

  archive(flow: string, author: Author): Promise<void> {
    return archiveFlow(this.dataSource, flow, author);
  }

  private async draw(
    turn: RequestTurn,
    draft: FlowDraft,
    had: string | undefined,
    folded: readonly string[] | undefined,
  ): Promise<DraftPicture> {
    const { mark, svg } = await this.reader.drawDraft(turn, draft, had, folded);
    return mark === undefined
      ? { noPicture: 'tangled' }
      : { mark, ...(svg !== undefined && { svg }) };
  }

  private async known(): Promise<Known> {
    const flows = await this.dataSource
      .getRepository(Flow)
      .find({ select: { flow: true }, where: { archivedAt: IsNull() } });
    const groups = new Set((await listAttentionGroups(this.dataSource.manager)).keys());
    const properties = await this.seen.load();
    const events = await this.seen.events();
    const unverified = await listUnverified(this.dataSource.manager);
    const segments = await loadSegments(this.dataSource.manager);
    const names = new Set(flows.map(({ flow }) => flow));
    return { flows: names, groups, properties, events, unverified, segments };
  }
}

/**
 * The formatted texts of a draft as users read them, and how many more there are than a page is
 * sent.
 */
export function previewsOf({ blocks }: Pick<FlowDraft, 'blocks'>): Previews {
  const all = blocks.flatMap((block) => [
    ...('fields' in block ? formatted(block.fields, { block: block.id }) : []),
    ...('items' in block
      ? block.items.flatMap(({ id, fields }) => formatted(fields, { block: block.id, item: id }))
      : []),
  ]);
  let room = MOST_LETTERS;
  const shown = all.filter((preview) => room > 0 && (room -= JSON.stringify(preview).length) >= 0);
  return { shown, left: all.length - shown.length };
}

function formatted(fields: readonly Field[], place: Pick<Preview, 'block' | 'item'>): Preview[] {
  return fields.flatMap(({ sid, value }) =>
    Array.isArray(value) && (value as Node[]).some(isFormatted)
      ? [{ ...place, field: sid, nodes: value as Node[] }]
      : [],
  );
}

/** More than paragraphs of plain words, which are read as they are written. */
function isFormatted({ type, children, text, parts: _, ...marks }: Node): boolean {
  if (typeof text === 'string') return Object.values(marks).some(Boolean);
  return (
    type !== 'paragraph' || (Array.isArray(children) && (children as Node[]).some(isFormatted))
  );
}
