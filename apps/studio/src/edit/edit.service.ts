import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/audit';
import { type Known, MIGRATION_STRATEGIES, transitionNames } from '@waymark/domain/engine';
import { parseFlowFile, STANDARD_FIELDS } from '@waymark/domain/flow-files';
import {
  archiveFlow,
  commitVersion,
  type Committed,
  flowText,
  listFlows,
  loadFlowVersion,
  loadLatestVersion,
  publishFlows,
  textHash,
} from '@waymark/domain/flows';
import { planFlows } from '@waymark/domain/impact';
import { Refusal } from '@waymark/service-kit/errors';
import type { DataSource } from 'typeorm';
import { EnvironmentsService } from '../environments/environments.service.js';
import { SeenPropertiesService } from '../properties/seen-properties.service.js';
import type { FlowParams } from '../flows/flow-params.dto.js';
import { checkText } from './check-text.js';
import type { Checked, CommitPreview, Saved, Source, Vocabulary } from './edit-views.js';
import { type CheckDto, type CommitDto, type SaveDto } from './edit.dto.js';

/** Users that are looked at before a commit. */
const SAMPLE = 10_000;
const TYPES = ['card', 'modal', 'checklist', 'tour', 'hints', 'branch'] as const;

/** How flows are changed. */
@Injectable()
export class EditService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(EnvironmentsService) private readonly environments: EnvironmentsService,
    @Inject(SeenPropertiesService) private readonly seen: SeenPropertiesService,
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

  async check({ text, draw = false }: CheckDto): Promise<Checked> {
    return checkText(text, await this.known(), draw);
  }

  /** Refused with the differences where somebody else has saved another text meanwhile (T6). */
  async save({ text, ifMatch }: SaveDto, author: Author): Promise<Saved> {
    const { draft, problems } = parseFlowFile(text, { file: 'flow.yaml' });
    if (!draft) throw new Refusal(400, `the flow has errors: ${problems[0]?.message}`);
    await publishFlows(this.dataSource, [draft], author, undefined, new Map([[draft.flow, { text, ifMatch }]]));
    return { flow: draft.flow, sha256: textHash(text) };
  }

  /** What a commit of the draft would do to users of the environment, by each strategy, from a sample (I2). */
  async preview({ environment, flow }: FlowParams): Promise<CommitPreview> {
    const { id } = await this.environments.get(environment);
    const latest = await loadLatestVersion(this.dataSource.manager, flow);
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, 0);
    const plans = await planFlows(this.dataSource, id, {
      definitions: [definition],
      strategies: MIGRATION_STRATEGIES,
      sample: SAMPLE,
    });
    return {
      latest,
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

  private async known(): Promise<Known> {
    const { manager } = this.dataSource;
    const flows = (await listFlows(manager)).flatMap(({ flow, archived }) => (archived ? [] : flow));
    return { flows: new Set(flows), properties: await this.seen.load() };
  }
}
