import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ReasonDto } from '../users/act.dto.js';
import { IsVersion } from '../flows/version-query.dto.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about one key, effect or run. */
export class IdParams extends EnvironmentParams {
  @Matches(/^[0-9a-f-]{36}$/i, { message: 'there is nothing with this id' })
  id: string;
}

const KINDS = ['users', 'blocks'] as const;

export class NewKeyDto {
  @IsIn(KINDS)
  kind: (typeof KINDS)[number];

  @IsOptional()
  @IsString()
  @Length(1, 128)
  name?: string;

  /** Days until it expires; never without. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_650)
  days?: number;
}

export class LogQuery {
  @IsOptional()
  @IsString()
  @MaxLength(256)
  @Matches(/^\P{Cc}*$/u, { message: 'nobody has a name with control characters' })
  by?: string;

  @IsOptional()
  @Matches(/^[a-z-]+(\.[a-z-]+)?$/, {
    message: 'what is an action such as flow.commit, or the first word of several, such as flow',
  })
  @MaxLength(64)
  what?: string;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  since?: Date;
}

/** Users to reset in a version of a flow: all with a state in it, or those for whom a condition holds. */
export class ResetDto extends ReasonDto {
  @IsVersion()
  version: number;

  @IsOptional()
  @IsString()
  @Length(1, 10_000)
  when?: string;

  /** Start again whatever the targeting. */
  @IsOptional()
  @IsBoolean()
  force?: boolean;

  /** Only count. */
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;
}
