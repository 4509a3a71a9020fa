import { Transform } from 'class-transformer';
import { IsString, Length } from 'class-validator';
import { IsFlow } from '../flows/flow-params.dto.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about a user. */
export class UserParams extends EnvironmentParams {
  /** In an address `.` and `..` have a `~` before them, and so has what reads like them with one (`pages/api/part.ts`). */
  @Transform(({ value }) => (typeof value === 'string' ? value.replace(/^~(?=~*\.{1,2}$)/, '') : (value as unknown)))
  @IsString()
  @Length(1, 1_024)
  user: string;
}

/** Parameters of routes that are about a user in a flow. */
export class UserFlowParams extends UserParams {
  @IsFlow()
  flow: string;
}
