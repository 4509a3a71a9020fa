import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { AttentionGroups, ParsedFile } from '@waymark/domain/flow-files';
import {
  applySharedFile,
  ATTENTION_FILE,
  type FileDifference,
  hashSharedFile,
  type SegmentDifference,
  SEGMENTS_FILE,
  type SharedFile,
} from '@waymark/domain/flows';
import type { SegmentTexts } from '@waymark/domain/targeting';
import { Refusal } from '@waymark/service-kit/http';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { type RequestTurn, Turn } from '../access/request-turn.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { Reader } from '../reader/reader.js';
import type {
  AttentionFile,
  CheckedAttention,
  CheckedFile,
  SegmentsFile,
} from './shared-file-views.js';

/** A file of all environments as it was typed; its reader says what is wrong with it. */
class FileDto {
  @IsString()
  text: string;
}

class ApplyFileDto extends FileDto {
  /** SHA-256 of what the page was given (T6). */
  @IsString()
  @Length(64, 64)
  ifMatch: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  reason?: string;
}

type FlowsByName = ReadonlyMap<string, readonly string[]>;

/** Shows, checks and replaces a file that is the same in all environments. */
@ForViewers()
abstract class SharedFileController<Content, Difference extends FileDifference> {
  protected abstract readonly file: SharedFile<Content, Difference>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) protected readonly reader: Reader,
  ) {}

  /** Beside the server, since a text can be made to take any time (T9). */
  protected abstract parse(turn: RequestTurn, text: string): Promise<ParsedFile<Content>>;

  /** What the page shows beside the text of the file. */
  protected abstract describe(content: Content, flows: FlowsByName): object;

  /** What the page warns about before the file is applied. */
  protected warnOf(_difference: Difference, _flows: FlowsByName): object {
    return {};
  }

  @Get()
  async show(): Promise<object> {
    const { file } = this;
    const { manager } = this.dataSource;
    const content = await file.load(manager);
    return {
      text: file.format(content),
      sha256: hashSharedFile(file, content),
      ...this.describe(content, await file.listFlows(manager)),
    };
  }

  @Post('check')
  @HttpCode(200)
  async check(
    @Body() { text }: FileDto,
    @Turn() turn: RequestTurn,
  ): Promise<CheckedFile<Difference>> {
    const { file } = this;
    const { manager } = this.dataSource;
    const { content, problems } = await this.parse(turn, text);
    if (!content) return { problems };
    const difference = await file.diff(manager, await file.load(manager), content);
    return { problems, difference, ...this.warnOf(difference, await file.listFlows(manager)) };
  }

  /** Refused if somebody else changed the file in between (T6). */
  @Post()
  @ForEditors()
  @HttpCode(200)
  async apply(
    @Body() { text, ifMatch, reason }: ApplyFileDto,
    @AuditName() by: string,
    @Turn() turn: RequestTurn,
  ): Promise<Difference> {
    const { content, problems } = await this.parse(turn, text);
    if (!content) throw new Refusal(400, `the file has errors: ${problems[0]?.message}`);
    const author = { by, ...(reason && { reason }) };
    return applySharedFile(this.dataSource, this.file, content, author, { ifMatch });
  }
}

/** Conditions with names (Z6). */
@Controller('api/segments')
export class SegmentsController extends SharedFileController<SegmentTexts, SegmentDifference> {
  protected readonly file = SEGMENTS_FILE;

  protected parse(turn: RequestTurn, text: string): Promise<ParsedFile<SegmentTexts>> {
    return this.reader.parseSegments(turn, text);
  }

  protected describe(texts: SegmentTexts, flows: FlowsByName): Pick<SegmentsFile, 'segments'> {
    const segments = Object.keys(texts);
    return {
      segments: segments.map((segment) => ({ segment, flows: flows.get(segment) ?? [] })),
    };
  }
}

/** Groups of flows that take turns (Q1). */
@Controller('api/attention')
export class AttentionController extends SharedFileController<AttentionGroups, FileDifference> {
  protected readonly file = ATTENTION_FILE;

  protected parse(turn: RequestTurn, text: string): Promise<ParsedFile<AttentionGroups>> {
    return this.reader.parseAttention(turn, text);
  }

  protected describe(groups: AttentionGroups, flows: FlowsByName): Pick<AttentionFile, 'groups'> {
    const names = new Set([...groups.keys(), ...flows.keys()]);
    return {
      groups: [...names].map((group) => ({
        group,
        flows: flows.get(group) ?? [],
        isKnown: groups.has(group),
      })),
    };
  }

  protected override warnOf(
    { removed }: FileDifference,
    flows: FlowsByName,
  ): Pick<CheckedAttention, 'named'> {
    return {
      named: removed.flatMap((group) => {
        const naming = flows.get(group);
        return naming ? [{ group, flows: naming }] : [];
      }),
    };
  }
}
