import { applyDecorators } from '@nestjs/common';
import { ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import type { Query } from './query.js';

/**
 * The value of a parameter; undefined where it is not given and need not be. Throws
 * `request.invalid`.
 */
type ReadParameter = (query: Query, name: string) => unknown;

/** In the words of OpenAPI; a parameter is required unless this says otherwise. */
interface Docs {
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Extract<ApiQueryOptions, { schema: unknown }>['schema'];
}

interface Parameter {
  readonly name: string;
  /** None for a parameter that another one is read with. */
  readonly read?: ReadParameter;
  /**
   * None for a parameter that is checked wherever it is sent, and makes no difference here (W8).
   */
  readonly docs?: Docs;
}

const PARAMETERS = new WeakMap<object, Parameter[]>();

/** Declares how a property of a query class is read and documented. */
export function QueryParameter(parameter: Omit<Parameter, 'name'>): PropertyDecorator {
  return (target, name) => {
    const own = PARAMETERS.get(target) ?? [];
    PARAMETERS.set(target, [...own, { ...parameter, name: String(name) }]);
  };
}

/**
 * The reader of a query class. Parameters are read in the order of their properties, those of the
 * class that it extends first, so that of several wrong ones always the same is reported (W9).
 */
export function queryReader<Parsed extends object>(
  type: new () => Parsed,
): (query: Query) => Parsed {
  const readers = parametersOf(type).flatMap(({ name, read }) => (read ? { name, read } : []));
  return (query) => {
    const parsed = {} as Record<string, unknown>;
    for (const { name, read } of readers) parsed[name] = read(query, name);
    return parsed as Parsed;
  };
}

/** The documentation of the parameters of a query class. */
export const ApiQueries = (type: new () => object): MethodDecorator =>
  applyDecorators(
    ...[...documentedParameters(type)].map(([name, docs]) => ApiQuery({ name, ...docs })),
  );

/** By name; what a class says of a parameter counts before what the class says that it extends. */
export const documentedParameters = (type: new () => object): ReadonlyMap<string, Docs> =>
  new Map(parametersOf(type).flatMap(({ name, docs }) => (docs ? [[name, docs] as const] : [])));

function parametersOf(type: new () => object): Parameter[] {
  const inherited = Object.getPrototypeOf(type.prototype) as object | null;
  const above = inherited && inherited !== Object.prototype ? inherited.constructor : null;
  return [
    ...(above ? parametersOf(above as new () => object) : []),
    ...(PARAMETERS.get(type.prototype as object) ?? []),
  ];
}
