import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import type { MigrationStrategy } from '@waymark/domain/engine';

/** Flow files may have a million characters. */
const LONGEST_TEXT = 1_048_576;
export const STRATEGIES: readonly MigrationStrategy[] = ['carry-over', 'restart-in-progress', 'restart-all', 'stop-in-progress'];

export class CheckDto {
  @IsString()
  @MaxLength(LONGEST_TEXT)
  text: string;

  /** Draws large flows too. */
  @IsOptional()
  @IsBoolean()
  draw?: boolean;
}

export class SaveDto {
  @IsString()
  @MaxLength(LONGEST_TEXT)
  text: string;

  /** The text that this one was made from, `none` for a new flow. */
  @Matches(/^([0-9a-f]{64}|none)$/, { message: 'ifMatch has to be a SHA-256 in hexadecimal, or none' })
  ifMatch: string;
}

export class CommitDto {
  @IsString()
  @Length(1, 1_000, { message: 'say in 1 to 1,000 characters what the commit changes' })
  message: string;

  @IsIn(STRATEGIES)
  migration: MigrationStrategy;
}
