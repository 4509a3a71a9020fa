import { Injectable } from '@nestjs/common';
import type { Command } from '@waymark/domain/engine';
import { flowTexts, RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import type { FastifyReply } from 'fastify';
import type { FlowReadRequest, StateRequest, TransitionRequest } from './state-request.js';

/** Tells the SDKs whether anything took effect (B9). */
const SIDE_EFFECTS = 'x-dopt-intent-side-effects';

/** Carries out what requests ask: finds the flow or block, runs the use case, writes the answer. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
  ) {}

  /** The flow as JSON, started for a user who qualifies (S8). */
  async readFlow({ id, version, actor, withBlocks }: FlowReadRequest): Promise<string> {
    const flow = await this.catalogue.getFlow(id, version);
    const result = await this.runCommand.run(flow, actor, { kind: 'read', starts: true });
    return flowTexts(result.flow).flow(result.state, withBlocks);
  }

  /** The block as JSON; reading a block never starts its flow (S8). */
  async readBlock({ id, version, actor }: StateRequest): Promise<string> {
    const { flow, block } = await this.catalogue.getBlock(id, version);
    const result = await this.runCommand.run(flow, actor, { kind: 'read', starts: false });
    return flowTexts(result.flow).block(result.state, block.uid);
  }

  async runIntent(request: StateRequest, command: Command, reply: FastifyReply): Promise<void> {
    const flow = await this.catalogue.getFlow(request.id, request.version);
    const { tookEffect } = await this.runCommand.run(flow, request.actor, command, request);
    reply.header(SIDE_EFFECTS, String(tookEffect));
  }

  async runTransition(request: TransitionRequest, reply: FastifyReply): Promise<void> {
    const { flow, block } = await this.catalogue.getBlock(request.id, request.version);
    const command = { kind: 'transition', block: block.uid, names: request.names } as const;
    const { tookEffect } = await this.runCommand.run(flow, request.actor, command, request);
    reply.header(SIDE_EFFECTS, String(tookEffect));
  }
}
