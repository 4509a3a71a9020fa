import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { VersionQuery } from '../flows/version-query.dto.js';

/** Which moment of a state is meant; the present one where none is named. */
export class RevisionQuery extends VersionQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  at?: number;
}
