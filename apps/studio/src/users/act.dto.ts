import { type Intent, INTENTS } from '@waymark/domain/engine';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsVersion } from '../flows/version-query.dto.js';

/** Why something is done, for those who read the log later. */
export class ReasonDto {
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  reason?: string;
}

/** What is done to a user in a version of a flow. */
export class CommandDto extends ReasonDto {
  @IsVersion()
  version: number;

  @IsIn(INTENTS)
  intent: Intent;
}

/** Which former state a user gets back. */
export class RestoreDto extends ReasonDto {
  @IsVersion()
  version: number;

  @IsVersion()
  revision: number;

  /** The revision that is undone; left out where a step of the history is restored. */
  @IsOptional()
  @IsVersion(1)
  undoes?: number;
}

export class DeleteUserDto extends ReasonDto {
  /** The identifier once more. */
  @IsString()
  @MaxLength(1_024)
  identifier: string;
}
