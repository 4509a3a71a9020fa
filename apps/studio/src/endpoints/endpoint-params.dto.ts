import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { EnvironmentParams } from '../environments/environment-params.dto.js';

/** Parameters of routes that are about an endpoint. */
export class EndpointParams extends EnvironmentParams {
  @Matches(/^[a-z0-9][a-z0-9_-]{0,127}$/i, { message: 'there is no such endpoint' })
  name: string;
}

const FORMATS = ['standard', 'segment'] as const;
const STARTS = ['now', 'beginning'] as const;

/**
 * What is typed for a new endpoint; whether its name and address can be is for the domain to say.
 */
export class NewEndpointDto {
  @IsString()
  @MaxLength(128)
  name: string;

  @IsString()
  @MaxLength(2_048)
  url: string;

  @IsIn(FORMATS)
  format: (typeof FORMATS)[number];

  @IsIn(STARTS)
  from: (typeof STARTS)[number];

  /** Only the events of these. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(128, { each: true })
  flows?: string[];
}
