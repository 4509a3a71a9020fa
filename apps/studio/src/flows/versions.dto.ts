import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

const LARGEST = 2_147_483_647;

/** A committed version. */
export class CommittedDto {
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  version: number;
}

/** Two versions that are compared, the older one first. */
export class DifferencesQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  from: number;

  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  to: number;
}
