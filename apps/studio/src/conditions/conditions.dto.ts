import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
} from 'class-validator';

/** Which property is meant: of users or of groups, and the names that lead to it. */
export class PropertyValuesQuery {
  @IsIn(['user', 'group'])
  of: 'user' | 'group';

  @Transform(({ value }) => (typeof value === 'string' ? [value] : (value as unknown)))
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(16)
  @IsString({ each: true })
  @MaxLength(200, { each: true })
  name: string[];
}

export class MatchingDto {
  @IsString()
  @MaxLength(10_000)
  when: string;
}

export class MatchingPageDto extends MatchingDto {
  /** Users after this one, in the order of the pages. */
  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  after?: string;
}
