import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { formatAttentionFile, parseAttentionFile } from '@waymark/domain/flow-files';
import {
  applyAttentionGroups,
  type AttentionDifference,
  diffAttentionGroups,
  hashAttentionGroups,
  listAttentionGroups,
  listFlowsOfGroups,
} from '@waymark/domain/flows';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { Refusal } from '@waymark/service-kit/http';
import type { AttentionFile, CheckedAttention } from './attention-views.js';
import { ApplyAttentionDto, AttentionFileDto } from './attention.dto.js';

const read = (text: string) => parseAttentionFile(text, { file: 'attention.yaml' });

/** Groups of flows that take turns; they are the same in all environments (Q1). */
@Controller('api/attention')
@ForViewers()
export class AttentionController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  async show(): Promise<AttentionFile> {
    const { manager } = this.dataSource;
    const stored = await listAttentionGroups(manager);
    const flows = await listFlowsOfGroups(manager);
    const names = new Set([...stored.keys(), ...flows.keys()]);
    return {
      text: formatAttentionFile(stored),
      sha256: hashAttentionGroups(stored),
      groups: [...names].map((group) => ({
        group,
        flows: flows.get(group) ?? [],
        isKnown: stored.has(group),
      })),
    };
  }

  @Post('check')
  @HttpCode(200)
  async check(@Body() { text }: AttentionFileDto): Promise<CheckedAttention> {
    const { groups, problems } = read(text);
    if (!groups) return { problems };
    const { manager } = this.dataSource;
    const difference = diffAttentionGroups(await listAttentionGroups(manager), groups);
    const flows = await listFlowsOfGroups(manager);
    const named = difference.removed.flatMap((group) => {
      const naming = flows.get(group);
      return naming ? [{ group, flows: naming }] : [];
    });
    return { problems, difference, named };
  }

  /** Refused where somebody else has changed the groups meanwhile (T6). */
  @Post()
  @ForEditors()
  @HttpCode(200)
  async apply(
    @Body() { text, ifMatch, reason }: ApplyAttentionDto,
    @AuditName() by: string,
  ): Promise<AttentionDifference> {
    const { groups, problems } = read(text);
    if (!groups) throw new Refusal(400, `the file has errors: ${problems[0]?.message}`);
    const author = { by, ...(reason && { reason }) };
    return applyAttentionGroups(this.dataSource, groups, author, { ifMatch });
  }
}
