import { IsString, Length } from 'class-validator';
import { ReasonDto } from '../users/act.dto.js';

/** A file of attention groups as it was typed; its reader says what is wrong with it. */
export class AttentionFileDto extends ReasonDto {
  @IsString()
  text: string;
}

export class ApplyAttentionDto extends AttentionFileDto {
  /** SHA-256 of the groups that the page was given (T6). */
  @IsString()
  @Length(64, 64)
  ifMatch: string;
}
