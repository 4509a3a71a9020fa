import { Matches } from 'class-validator';

/** Parameters of every route that is about an environment. */
export class EnvironmentParams {
  @Matches(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, { message: 'there is no such environment' })
  environment: string;
}
