import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { ReasonDto } from '../users/act.dto.js';
import { IsVersion } from '../flows/version-query.dto.js';

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

/**
 * Users to reset in a version of a flow: all with a state in it, or those for whom a condition
 * holds.
 */
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
