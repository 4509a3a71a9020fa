import { Injectable } from '@nestjs/common';
import type { Command } from '@waymark/domain/engine';
import { ApiKeyGuard } from '@waymark/domain/access';
import {
  type Actor,
  type CommandResult,
  flowJson,
  insertionRoom,
  RunCommand,
} from '@waymark/domain/states';
import { describeFlowTypes } from '@waymark/domain/flow-files';
import { FlowCatalogue, orderByPriority } from '@waymark/domain/flows';
import type { ReadAnswer } from './read-answer.js';
import type {
  ActorRequest,
  FlowListRequest,
  FlowReadRequest,
  FlowTypesRequest,
  StateRequest,
  TransitionRequest,
} from './state-request.js';

/** Carries out what requests ask: finds the flow or block and runs the use case. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
    private readonly guard: ApiKeyGuard,
  ) {}

  /** The flow as JSON, started for a user who qualifies (S8). */
  async readFlow(request: FlowReadRequest): Promise<ReadAnswer> {
    const actor = this.authorize(request);
    const flow = await this.catalogue.getFlow(request.id, request.version, actor.environmentId);
    const result = await this.runCommand.run(
      flow,
      actor,
      { kind: 'read', starts: true },
      { trace: request.trace },
    );
    const text = flowJson(result.flow, request.languages);
    return { json: text.flow(result, request.withBlocks), languages: [text.language] };
  }

  /**
   * Flows as JSON, each as `readFlow` has it, in which order to show them (Q5), and the names of
   * those that are not there or of a newer release (B13, R17).
   */
  async readFlows(request: FlowListRequest): Promise<ReadAnswer> {
    const actor = this.authorize(request);
    const { flows, withBlocks } = request;
    const found = await this.catalogue.findFlows(flows, actor.environmentId);
    const known = found.filter(isFound);
    const results = await this.runCommand.readAll(known, actor, { trace: request.trace });
    const served = results.filter(isFound);
    const texts = served.map(({ flow }) => flowJson(flow, request.languages));
    const room = insertionRoom();
    const written = texts.map((text, index) => text.flow(served[index]!, withBlocks, room));
    const order = orderByPriority(served.map(({ flow }) => flow)).map(
      (index) => served[index]!.flow.flow,
    );
    const shown = new Set(known.filter((_, index) => results[index]));
    const unknown = flows.filter((_, index) => !shown.has(found[index]!)).map(({ name }) => name);
    return {
      json: `{"flows":[${written.join(',')}],"unknown":${JSON.stringify(unknown)},"order":${JSON.stringify(order)}}`,
      languages: texts.map(({ language }) => language),
    };
  }

  /**
   * What flows have, as types for `@waymark/client` (B15). Throws for the first that is not there.
   */
  async describeTypes({ environmentId, flows }: FlowTypesRequest): Promise<string> {
    const found = await Promise.all(
      flows.map(({ flow, version }) => this.catalogue.getFlow(flow, version, environmentId)),
    );
    return describeFlowTypes(found.map(({ compiled }) => compiled.definition));
  }

  /** The block as JSON; reading a block never starts its flow (S8). */
  async readBlock(request: StateRequest): Promise<ReadAnswer> {
    const actor = this.authorize(request);
    const { flow, block } = await this.catalogue.getBlock(
      request.id,
      request.version,
      actor.environmentId,
    );
    const result = await this.runCommand.run(flow, actor, { kind: 'read', starts: false });
    const text = flowJson(result.flow, request.languages);
    return { json: text.block(result, block.uid), languages: [text.language] };
  }

  async runIntent(request: StateRequest, command: Command): Promise<CommandResult> {
    const actor = this.authorize(request);
    const flow = await this.catalogue.getFlow(request.id, request.version, actor.environmentId);
    return this.runCommand.run(flow, actor, command, request);
  }

  async runTransition(request: TransitionRequest): Promise<CommandResult> {
    const actor = this.authorize(request);
    const { flow, block } = await this.catalogue.getBlock(
      request.id,
      request.version,
      actor.environmentId,
    );
    const { names, data } = request;
    const command = { kind: 'transition' as const, block: block.uid, names, ...(data && { data }) };
    return this.runCommand.run(flow, actor, command, request);
  }

  /**
   * After everything that is wrong with the request itself, and before anything is looked up (V6).
   */
  private authorize(request: ActorRequest): Actor {
    return this.guard.authorize(request.caller, request);
  }
}

const isFound = <Item>(item: Item | null | undefined): item is Item => Boolean(item);
