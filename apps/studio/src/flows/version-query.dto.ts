import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** A number that a column of PostgreSQL can hold: a version, or a revision. */
export const IsVersion = (least = 0): PropertyDecorator => applyDecorators(IsInt(), Min(least), Max(2_147_483_647));

/** Which version is meant; the one that latest is, else version 0, where none is named. */
export class VersionQuery {
  @IsOptional()
  @Type(() => Number)
  @IsVersion()
  version?: number;
}
