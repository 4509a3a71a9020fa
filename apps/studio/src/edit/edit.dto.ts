import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import type { Json } from '@waymark/domain/json';
import { MIGRATION_STRATEGIES, type MigrationStrategy } from '@waymark/domain/engine';

export class CheckDto {
  /** The reader of flow files limits its length. */
  @IsString()
  text: string;

  /** Draws large flows too. */
  @IsOptional()
  @IsBoolean()
  draw?: boolean;

  /** The mark of the picture that the page has. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  had?: string;
}

/** A walk through a text that is being edited, as somebody would take it. */
export class TryDto {
  @IsString()
  text: string;

  /** `read`, `reset`, `BLOCK:NAME` and so on, one after the other. */
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  @MaxLength(400, { each: true })
  steps: string[];

  /** Whose properties it is tried with; nobody in particular where it is left out. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  user?: string;

  /** On top of those of the user. */
  @IsOptional()
  @IsObject()
  properties?: Record<string, Json>;
}

export class SaveDto {
  @IsString()
  text: string;

  /** The text that this one was made from, `none` for a new flow. */
  @Matches(/^([0-9a-f]{64}|none)$/, { message: 'ifMatch has to be a SHA-256 in hexadecimal, or none' })
  ifMatch: string;
}

export class CommitDto {
  @IsString()
  @Length(1, 1_000, { message: 'say in 1 to 1,000 characters what the commit changes' })
  message: string;

  @IsIn(MIGRATION_STRATEGIES)
  migration: MigrationStrategy;
}
