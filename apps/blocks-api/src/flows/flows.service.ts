import { Injectable } from '@nestjs/common';
import type { Command } from '@waymark/domain/engine';
import { ApiKeyGuard } from '@waymark/domain/environments';
import { isUnknown } from '@waymark/domain/errors';
import { type Actor, type CommandResult, flowJson, RunCommand } from '@waymark/domain/flow-states';
import { describeFlowTypes } from '@waymark/domain/flow-types';
import { FlowCatalogue, type ResolvedFlow } from '@waymark/domain/flows';
import type { FlowListRequest, FlowTypesRequest, NamedFlow } from './flow-list-request.js';
import type { ActorRequest, FlowReadRequest, StateRequest, TransitionRequest } from './state-request.js';

/** Carries out what requests ask: finds the flow or block and runs the use case. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
    private readonly guard: ApiKeyGuard,
  ) {}

  /** The flow as JSON, started for a user who qualifies (S8). */
  async readFlow(request: FlowReadRequest): Promise<string> {
    const actor = this.authorize(request);
    const flow = await this.catalogue.getFlow(request.id, request.version, actor.environmentId);
    const result = await this.runCommand.run(flow, actor, { kind: 'read', starts: true }, { trace: request.trace });
    return flowJson(result.flow).flow(result, request.withBlocks);
  }

  /** Flows as JSON, each as `readFlow` has it, with the names of those that are not there (B13). */
  async readFlows(request: FlowListRequest): Promise<string> {
    const actor = this.authorize(request);
    const { flows, withBlocks } = request;
    const found = await Promise.all(flows.map((asked) => this.findFlow(asked, actor.environmentId)));
    const results = await this.runCommand.readAll(found.filter(isKnown), actor, { trace: request.trace });
    const texts = results.map((result) => flowJson(result.flow).flow(result, withBlocks));
    const unknown = flows.filter((_, index) => !found[index]).map(({ name }) => name);
    return `{"flows":[${texts.join(',')}],"unknown":${JSON.stringify(unknown)}}`;
  }

  /** What flows have, as types for `@waymark/client` (B15). Throws for the first that is not there. */
  async describeTypes({ environmentId, flows }: FlowTypesRequest): Promise<string> {
    const found = await Promise.all(flows.map(({ flow, version }) => this.catalogue.getFlow(flow, version, environmentId)));
    return describeFlowTypes(found.map(({ compiled }) => compiled.definition));
  }

  /** The block as JSON; reading a block never starts its flow (S8). */
  async readBlock(request: StateRequest): Promise<string> {
    const actor = this.authorize(request);
    const { flow, block } = await this.catalogue.getBlock(request.id, request.version, actor.environmentId);
    const result = await this.runCommand.run(flow, actor, { kind: 'read', starts: false });
    return flowJson(result.flow).block(result.state, block.uid);
  }

  private async findFlow({ flow, version }: NamedFlow, environmentId: string): Promise<ResolvedFlow | undefined> {
    try {
      return await this.catalogue.getFlow(flow, version, environmentId);
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }

  async runIntent(request: StateRequest, command: Command): Promise<CommandResult> {
    const actor = this.authorize(request);
    const flow = await this.catalogue.getFlow(request.id, request.version, actor.environmentId);
    return this.runCommand.run(flow, actor, command, request);
  }

  async runTransition(request: TransitionRequest): Promise<CommandResult> {
    const actor = this.authorize(request);
    const { flow, block } = await this.catalogue.getBlock(request.id, request.version, actor.environmentId);
    const command = { kind: 'transition', block: block.uid, names: request.names } as const;
    return this.runCommand.run(flow, actor, command, request);
  }

  /** After everything that is wrong with the request itself, and before anything is looked up (V6). */
  private authorize(request: ActorRequest): Actor {
    return this.guard.authorize(request.caller, request);
  }
}

const isKnown = (flow: ResolvedFlow | undefined): flow is ResolvedFlow => flow !== undefined;
