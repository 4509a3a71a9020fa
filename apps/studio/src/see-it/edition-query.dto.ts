import { IsIn, IsString, Length, MaxLength } from 'class-validator';

/** Which edition of a flow a page shows. */
export class EditionQuery {
  @IsString()
  @MaxLength(128)
  flow!: string;

  @IsIn(['latest', 'uncommitted'])
  version!: 'latest' | 'uncommitted';
}

/** For whom a page shows it. */
export class VisitorDto {
  @IsString()
  @Length(1, 1_024)
  user!: string;
}
