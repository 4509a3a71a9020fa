import { Type } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IsVersion, VersionQuery } from '../flows/version-query.dto.js';

/** Which moment of a state is meant; the present one where none is named. */
export class RevisionQuery extends VersionQuery {
  @IsOptional()
  @Type(() => Number)
  @IsVersion()
  at?: number;
}
