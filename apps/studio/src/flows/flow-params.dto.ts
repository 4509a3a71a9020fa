import { Matches } from 'class-validator';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

export const IsFlow = (): PropertyDecorator =>
  Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such flow' });

/** Parameters of routes that are about a flow. */
export class FlowParams extends EnvironmentParams {
  @IsFlow()
  flow: string;
}
