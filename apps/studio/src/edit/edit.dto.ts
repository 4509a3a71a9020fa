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
  ValidateBy,
} from 'class-validator';
import type { Json } from '@waymark/domain/targeting';
import { IsFolded } from '../flows/version-query.dto.js';
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

  @IsFolded()
  folded?: string[];
}

/** A simulated walk of a user through a text that is being edited. */
export class TryDto {
  @IsString()
  text: string;

  /** `read`, `reset`, `BLOCK:NAME` and so on, one after the other. */
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  @MaxLength(400, { each: true })
  steps: string[];

  /** The user whose properties are used; without it, a user without properties. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  user?: string;

  /** On top of those of the user. */
  @IsOptional()
  @IsObject()
  properties?: Record<string, Json>;

  /** How often they did what, in the place of what is known (Z2). */
  @IsOptional()
  @IsObject()
  @ValidateBy({
    name: 'isTimes',
    validator: {
      validate: (events: object) =>
        Object.values(events).every((times) => Number.isSafeInteger(times) && times > 0),
      defaultMessage: () => 'how often an event happened is a whole number above 0',
    },
  })
  events?: Record<string, number>;

  @IsFolded()
  folded?: string[];

  /** In which texts are shown; that of the flow where it is left out. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  language?: string;
}

/** A block of a text that is being edited, as its users will see it. */
export class ShowDto {
  @IsString()
  text: string;

  /** The first one that users see where it is left out. */
  @IsOptional()
  @IsString()
  @MaxLength(400)
  block?: string;

  /** Where a tour is. */
  @IsOptional()
  @IsString()
  @MaxLength(400)
  item?: string;

  /** As of a walk. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  language?: string;
}

/** The texts of a text that is being edited, beside those of another language. */
export class TextsDto {
  @IsString()
  text: string;

  @IsString()
  @Length(1, 100)
  language: string;
}

export class SaveDto {
  @IsString()
  text: string;

  /** The text that this one was made from, `none` for a new flow. */
  @Matches(/^([0-9a-f]{64}|none)$/, {
    message: 'ifMatch has to be a SHA-256 in hexadecimal, or none',
  })
  ifMatch: string;
}

export class CommitDto {
  @IsString()
  @Length(1, 1_000, { message: 'say in 1 to 1,000 characters what the commit changes' })
  message: string;

  @IsIn(MIGRATION_STRATEGIES)
  migration: MigrationStrategy;
}
