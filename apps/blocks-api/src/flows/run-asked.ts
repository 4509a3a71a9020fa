import { Injectable } from '@nestjs/common';
import type { Command } from '@waymark/domain/engine';
import { flowTexts, RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import type { FastifyReply } from 'fastify';
import type { Asked, AskedFlow, AskedTransition } from './asked.js';

/** Tells the SDKs whether anything took effect (B9). */
const SIDE_EFFECTS = 'x-dopt-intent-side-effects';

/** Carries out what requests ask: finds the flow or block, runs the use case, writes the answer. */
@Injectable()
export class RunAsked {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
  ) {}

  /** The flow as JSON, started for a user who qualifies (S8). */
  async readFlow({ id, version, asker, withBlocks }: AskedFlow): Promise<string> {
    const flow = await this.catalogue.getFlow(id, version);
    const result = await this.runCommand.run(flow, asker, { kind: 'read', starts: true });
    return flowTexts(result.flow).flow(result.state, withBlocks);
  }

  /** The block as JSON; reading a block never starts its flow (S8). */
  async readBlock({ id, version, asker }: Asked): Promise<string> {
    const { flow, block } = await this.catalogue.getBlock(id, version);
    const result = await this.runCommand.run(flow, asker, { kind: 'read', starts: false });
    return flowTexts(result.flow).block(result.state, block.uid);
  }

  async runIntent(asked: Asked, command: Command, reply: FastifyReply): Promise<void> {
    const flow = await this.catalogue.getFlow(asked.id, asked.version);
    const { tookEffect } = await this.runCommand.run(flow, asked.asker, command, asked);
    reply.header(SIDE_EFFECTS, String(tookEffect));
  }

  async runTransition(asked: AskedTransition, reply: FastifyReply): Promise<void> {
    const { flow, block } = await this.catalogue.getBlock(asked.id, asked.version);
    const command = { kind: 'transition', block: block.uid, names: asked.names } as const;
    const { tookEffect } = await this.runCommand.run(flow, asked.asker, command, asked);
    reply.header(SIDE_EFFECTS, String(tookEffect));
  }
}
