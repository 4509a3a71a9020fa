import { Type } from 'class-transformer';
import { IsDate, IsOptional, Matches } from 'class-validator';
import { VersionQuery } from './version-query.dto.js';

/** Whom a report counts: in the last commit where no version is named. */
export class ReportQuery extends VersionQuery {
  /** Only users who met the flow then or later. */
  @IsOptional()
  @Type(() => Date)
  @IsDate({ message: 'since has to be a time such as 2026-01-31T00:00:00Z' })
  since?: Date;
}

/** Whom a block is asked for. */
export class UsersAtQuery extends ReportQuery {
  /** A block, or an item of one. */
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such block' })
  block: string;
}
