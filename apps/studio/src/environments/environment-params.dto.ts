import { Matches } from 'class-validator';

/** Parameters of every route that is about an environment. */
export class EnvironmentParams {
  @Matches(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, { message: 'there is no such environment' })
  environment: string;
}

/** Parameters of routes that are about one key, effect or run. */
export class IdParams extends EnvironmentParams {
  @Matches(/^[0-9a-f-]{36}$/i, { message: 'there is nothing with this id' })
  id: string;
}
