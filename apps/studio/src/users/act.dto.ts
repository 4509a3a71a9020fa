import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Why something is done, for those who read the log later. */
export class ReasonDto {
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  reason?: string;
}

const INTENTS = ['start', 'reset', 'stop', 'finish'] as const;

/** What is done to a user in a version of a flow. */
export class CommandDto extends ReasonDto {
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  version: number;

  @IsIn(INTENTS)
  intent: (typeof INTENTS)[number];
}

/** Which former state a user gets back. */
export class RestoreDto extends ReasonDto {
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  version: number;

  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  revision: number;
}

export class DeleteUserDto extends ReasonDto {
  /** The identifier once more. */
  @IsString()
  @MaxLength(1_024)
  identifier: string;
}
