import { Type } from 'class-transformer';
import { IsVersion } from './version-query.dto.js';

/** A committed version. */
export class CommittedDto {
  @IsVersion(1)
  version: number;
}

/** The same in an address. */
export class CommittedQuery {
  @Type(() => Number)
  @IsVersion(1)
  version: number;
}

/** Two versions that are compared, the older one first. */
export class DifferencesQuery {
  @Type(() => Number)
  @IsVersion()
  from: number;

  @Type(() => Number)
  @IsVersion()
  to: number;
}
