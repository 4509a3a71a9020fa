import { IsString, MaxLength } from 'class-validator';

/** What the page found behind the # of its address. */
export class TokenLoginDto {
  @IsString()
  @MaxLength(200)
  token: string;
}
