import { Transform, Type } from 'class-transformer';
import { IsString, isTimeZone, Length, IsOptional } from 'class-validator';
import { IsFlow } from '../flows/flow-params.dto.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { IsVersion, PictureQuery } from '../flows/version-query.dto.js';

/** Parameters of routes that are about a user. */
export class UserParams extends EnvironmentParams {
  /**
   * In an address `.` and `..` have a `~` before them, and so has what reads like them with one
   * (`pages/api/part.ts`).
   */
  @Transform(({ value }) =>
    typeof value === 'string' ? value.replace(/^~(?=~*\.{1,2}$)/, '') : (value as unknown),
  )
  @IsString()
  @Length(1, 1_024)
  user: string;
}

/** Parameters of routes that are about a user in a flow. */
export class UserFlowParams extends UserParams {
  @IsFlow()
  flow: string;
}

/** Which moment of a state is meant; the present one where none is named. */
export class RevisionQuery extends PictureQuery {
  @IsOptional()
  @Type(() => Number)
  @IsVersion()
  at?: number;

  /** The time zone of the reader, as browsers name it; UTC where no such zone is known here. */
  @IsOptional()
  @Transform(({ value }) => (isTimeZone(value) ? (value as string) : undefined))
  @IsString()
  zone?: string;
}

/** Whom to list, in the order of identifiers. */
export class UserListQuery {
  /** The beginning of the identifier. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  startsWith?: string;

  /** Users after this one. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  after?: string;
}
