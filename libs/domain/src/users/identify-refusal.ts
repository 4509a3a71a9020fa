import { DomainError, invalidRequest } from '../database/errors/index.js';
import type { IdentifyRequest, IdentifiedSubject } from './identify-rows.js';
import { groupId, userId } from './subject-id.js';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
  detail?: string;
}

/**
 * What PostgreSQL refused of one request in words of the domain: `properties.too-large` for the
 * check of U1, `request.invalid` for other data it cannot hold (U2); any other error as it is.
 */
export function identifyRefusal(error: unknown, request: IdentifyRequest): unknown {
  const { code = '', detail, message } = error as PostgresError;
  const constraint = constraintOf(error as PostgresError);
  if (code === '23514' && constraint === 'users_properties_size')
    return tooLarge('user', findUser(request, detail), error);
  if (code === '23514' && constraint === 'groups_properties_size')
    return tooLarge('group', findGroup(request, detail), error);
  if (!code.startsWith('22')) return error;
  return invalidRequest(`the properties cannot be stored: ${message}`, { cause: error });
}

/** From a shard the constraint comes in the message only. */
export const constraintOf = ({ constraint, message }: PostgresError): string | undefined =>
  constraint ?? /check constraint "(\w+?)(?:_\d+)?"/.exec(message)?.[1];

function tooLarge(
  kind: 'user' | 'group',
  subject: IdentifiedSubject | undefined,
  cause: unknown,
): DomainError {
  const where = subject?.where ? `${subject.where}: ` : '';
  const whose = subject ? `the ${kind} "${subject.identifier}"` : `a ${kind}`;
  return new DomainError(
    'properties.too-large',
    `${where}the properties of ${whose}, merged with those already stored, take more than 1 MiB as the database writes them, with a blank after each comma and colon; nothing was changed`,
    { cause },
  );
}

const findUser = (
  request: IdentifyRequest,
  detail: string | undefined,
): IdentifiedSubject | undefined =>
  request.users.findLast(({ identifier }) =>
    detail?.includes(userId(request.environmentId, identifier)),
  );

const findGroup = (
  request: IdentifyRequest,
  detail: string | undefined,
): IdentifiedSubject | undefined =>
  request.groups.findLast(({ identifier }) =>
    detail?.includes(groupId(request.environmentId, identifier)),
  );
