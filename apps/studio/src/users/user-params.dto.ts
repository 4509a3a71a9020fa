import { IsString, Length } from 'class-validator';
import { IsFlow } from '../flows/flow-params.dto.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about a user. */
export class UserParams extends EnvironmentParams {
  @IsString()
  @Length(1, 1_024)
  user: string;
}

/** Parameters of routes that are about a user in a flow. */
export class UserFlowParams extends UserParams {
  @IsFlow()
  flow: string;
}
