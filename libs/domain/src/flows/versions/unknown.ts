import { DomainError } from '../../errors/index.js';

export const unknownFlow = (flow: string): DomainError =>
  new DomainError('flow.unknown', `there is no flow ${JSON.stringify(flow)}`);

/** To operators, who can do something about it; clients are told that there is no such flow (B12). */
export const archivedFlow = (flow: string): DomainError =>
  new DomainError('flow.unknown', `${flow} is archived; applying its file brings it back`);

export const unknownVersion = (flow: string, version: number): DomainError =>
  new DomainError('version.unknown', `flow ${flow} has no version ${version}`);

export const noVersionYet = (flow: string): DomainError =>
  new DomainError('version.unknown', `flow ${flow} has no committed version yet`);

/** Does not say which was asked for: as a number it need not be what the client wrote. */
export const beyondNewest = (flow: string, newest: number | null): DomainError =>
  new DomainError(
    'version.unknown',
    `flow ${flow} has no such version: ${newest === null ? 'it has no committed version yet' : `its newest is ${newest}`}`,
  );
