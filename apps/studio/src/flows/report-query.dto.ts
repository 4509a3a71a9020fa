import { ANSWER_CURSOR } from '@waymark/domain/analysis';
import { Type } from 'class-transformer';
import {
  IsDate,
  IsIn,
  IsOptional,
  IsString,
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

/** Which users are listed: those at a block, or those who met or missed the goal. */
export class UsersAtQuery extends CountQuery {
  @IsOptional()
  @IsIn(['met', 'missed'])
  goal?: 'met' | 'missed';

  /** A block, or an item of one. */
  @ValidateIf(({ goal }: UsersAtQuery) => goal === undefined)
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such block' })
  block?: string;
}

export class AnswersQuery extends VersionQuery {
  /** The `next` of the page before. */
  @IsOptional()
  @Matches(ANSWER_CURSOR, { message: 'there is no such page' })
  before?: string;
}
