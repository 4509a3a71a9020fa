import { DomainError } from '../../database/errors/index.js';
import { EngineError } from '../../engine/index.js';

export const unknownFlow = (flow: string): DomainError =>
  new DomainError('flow.unknown', `there is no flow ${JSON.stringify(flow)}`);

/** For operators, who can do something about it; for clients the flow is unknown (B12). */
export const archivedFlow = (flow: string): DomainError =>
  new DomainError('flow.unknown', `${flow} is archived; applying its file brings it back`);

export const unknownVersion = (flow: string, version: number): DomainError =>
  new DomainError('version.unknown', `flow ${flow} has no version ${version}`);

export const noVersionYet = (flow: string): DomainError =>
  new DomainError('version.unknown', `flow ${flow} has no committed version yet`);

/** In an environment where `latest` is only what is pinned (Z10). */
export const unreleasedFlow = (flow: string): DomainError =>
  new DomainError(
    'flow.unreleased',
    `no version of flow ${flow} is released in this environment yet`,
  );

/** Does not name the requested version: as a number it need not be what the client wrote. */
export const beyondNewest = (flow: string, newest: number | null): DomainError =>
  new DomainError(
    'version.unknown',
    `flow ${flow} has no such version: ${newest === null ? 'it has no committed version yet' : `its newest is ${newest}`}`,
  );

/** A newer release made something of it, which runs beside this one during an upgrade (R17). */
export const newerFlow = (flow: string, version: number, options?: ErrorOptions): DomainError =>
  new DomainError(
    'flow.newer',
    `version ${version} of flow ${flow} is of a newer release of Waymark than this process, please try again`,
    options,
  );

/**
 * What the engine makes of documents of a flow; throws `flow.newer` where they are of a newer
 * release.
 */
export function unlessNewer<Result>(flow: string, version: number, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const isNewer = cause instanceof EngineError && cause.code === 'engine.unknown-format';
    throw isNewer ? newerFlow(flow, version, { cause }) : cause;
  }
}
