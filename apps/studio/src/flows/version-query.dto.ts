import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

/** A number that a column of PostgreSQL can hold: a version, or a revision. */
export const IsVersion = (least = 0): PropertyDecorator =>
  applyDecorators(IsInt(), Min(least), Max(2_147_483_647));

/**
 * Containers that a picture draws without their items; in a query their identifiers are separated
 * by commas (T19).
 */
export const IsFolded = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').filter(Boolean) : value,
    ),
    ArrayMaxSize(1_000),
    Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, {
      each: true,
      message: 'folded has to be identifiers of blocks',
    }),
  );

/** Which version is meant; the one that latest is, else version 0, where none is named. */
export class VersionQuery {
  @IsOptional()
  @Type(() => Number)
  @IsVersion()
  version?: number;
}

/** A version to draw. */
export class PictureQuery extends VersionQuery {
  @IsFolded()
  folded?: string[];
}
