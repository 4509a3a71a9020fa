import { Matches } from 'class-validator';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about an endpoint. */
export class EndpointParams extends EnvironmentParams {
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such endpoint' })
  name: string;
}
