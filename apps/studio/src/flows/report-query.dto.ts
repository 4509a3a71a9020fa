import { ANSWER_CURSOR } from '@waymark/domain/analysis';
import { Type } from 'class-transformer';
import {
  IsDate,
  IsIn,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxDate,
  MaxLength,
  MinDate,
  ValidateIf,
} from 'class-validator';
import { IsFolded, VersionQuery } from './version-query.dto.js';

const SINCE = { message: 'since has to be a time such as 2026-01-31T00:00:00Z' };

/** Whose users are counted: those of the last commit where no version is named. */
class CountQuery extends VersionQuery {
  /** Only users who met the flow then or later. */
  @IsOptional()
  @Type(() => Date)
  @IsDate(SINCE)
  @MinDate(new Date('0001-01-01'), SINCE)
  @MaxDate(new Date('9999-12-31'), SINCE)
  since?: Date;

  /** Only users in that segment by now (Z6). */
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such segment' })
  segment?: string;
}

export class ReportQuery extends CountQuery {
  /** The mark of the picture that the page has. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  had?: string;

  @IsFolded()
  folded?: string[];
}

/** A split, and what its ways are compared by: the goal of the flow where no path is named (K3). */
export class SplitQuery extends CountQuery {
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such split' })
  split: string;

  /** A name that is taken, as `survey.answered`. */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  goalPath?: string;
}

/** Which users are listed: those at a block, or those who met or missed the goal. */
export class UsersAtQuery extends CountQuery {
  @IsOptional()
  @IsIn(['met', 'missed'])
  goal?: 'met' | 'missed';

  /** A block, or an item of one. */
  @ValidateIf(({ goal }: UsersAtQuery) => goal === undefined)
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such block' })
  block?: string;

  /** The `next` of the page before. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  after?: string;
}

export class AnswersQuery extends VersionQuery {
  /** The `next` of the page before. */
  @IsOptional()
  @Matches(ANSWER_CURSOR, { message: 'there is no such page' })
  before?: string;
}
