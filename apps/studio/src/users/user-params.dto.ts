import { IsString, Length, Matches } from 'class-validator';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about a user. */
export class UserParams extends EnvironmentParams {
  @IsString()
  @Length(1, 1_024)
  user: string;
}

/** Parameters of routes that are about a user in a flow. */
export class UserFlowParams extends UserParams {
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such flow' })
  flow: string;
}
