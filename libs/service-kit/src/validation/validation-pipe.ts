import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { DomainError } from '@waymark/domain/errors';

/** Every problem in one sentence each: the property, what is wrong with it, what is allowed (W2). */
export function describeProblems(errors: readonly ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => {
    const name = path ? `${path}.${error.property}` : error.property;
    return [...ownProblems(error, name), ...describeProblems(error.children ?? [], name)];
  });
}

function ownProblems(error: ValidationError, name: string): string[] {
  const problems = Object.values(error.constraints ?? {});
  if (problems.length === 0) return [];
  if (Array.isArray(error.value) && !problems.some((problem) => problem.includes('each value'))) {
    return [`${name} was given ${error.value.length} times, it has to be given once`];
  }
  const [first] = problems;
  return [path(first!, error.property, name)];
}

const path = (problem: string, property: string, name: string): string =>
  problem.startsWith(property) ? name + problem.slice(property.length) : `${name}: ${problem}`;

/**
 * Checks parameters that have a class, by its class-validator decorators; names that are not known are ignored. Throws
 * `request.invalid` with all problems together. Bodies without a class pass untouched.
 */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: false,
    forbidUnknownValues: false,
    validationError: { target: false, value: true },
    stopAtFirstError: true,
    exceptionFactory: (errors) => new DomainError('request.invalid', describeProblems(errors).join('; ')),
  });
