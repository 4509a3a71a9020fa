import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { FlowView, WaitView } from '@waymark/domain/states';
import { BlockDto } from './block.dto.js';

/** The shapes of answers about flows, as the OpenAPI document has them. */
@ApiSchema({ name: 'FlowState' })
class FlowStateDto {
  @ApiProperty()
  started: boolean;

  @ApiProperty()
  stopped: boolean;

  @ApiProperty()
  finished: boolean;
}

@ApiSchema({ name: 'Wait' })
class WaitDto implements WaitView {
  @ApiProperty({ description: 'The group of flows that take turns' })
  group: string;

  @ApiProperty({
    enum: ['at-once', 'limit', 'pause'],
    description: 'The rule of the group that is released last',
  })
  rule: WaitView['rule'];

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When it may start, where it waits for time alone',
  })
  until?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Seconds from now to `until`' })
  seconds?: number;
}

/** What the docs say of a Flow (B5); answers are written by `FlowJson`. */
@ApiSchema({ name: 'Flow' })
export class FlowDto implements FlowView {
  @ApiProperty({ enum: ['flow'] })
  kind: 'flow';

  @ApiProperty({ enum: ['flow'] })
  type: 'flow';

  @ApiProperty({ description: 'Equals sid' })
  uid: string;

  @ApiProperty({ description: 'The identifier of the flow' })
  sid: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Always the number, also where a tag was asked for',
  })
  version: number;

  @ApiPropertyOptional({ description: 'Of the texts, a tag of BCP 47; where the flow has several' })
  language?: string;

  @ApiProperty({ type: FlowStateDto })
  state: FlowStateDto;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Raised by every step of this user in this version',
  })
  revision: number;

  @ApiPropertyOptional({
    type: WaitDto,
    description: 'Of a flow that would have started by itself, but for the rules of its group',
  })
  waits?: WaitDto;

  @ApiPropertyOptional({
    type: [BlockDto],
    description: 'With include=block: in the order of the definition',
  })
  blocks?: BlockDto[];
}

/** What the docs say of a list of flows (B13). */
@ApiSchema({ name: 'Flows' })
export class FlowListDto {
  @ApiProperty({ type: [FlowDto], description: 'In the order asked' })
  flows: FlowDto[];

  @ApiProperty({
    type: [String],
    description: 'What was asked for and is not there: flows, or versions of them',
  })
  unknown: string[];

  @ApiProperty({ type: [String], description: 'The identifiers of the flows, as to be shown' })
  order: string[];
}
