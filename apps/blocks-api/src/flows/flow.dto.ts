import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { FlowView } from '@waymark/domain/flow-states';
import { BlockDto } from './block.dto.js';

@ApiSchema({ name: 'FlowState' })
class FlowStateDto {
  @ApiProperty()
  started: boolean;

  @ApiProperty()
  stopped: boolean;

  @ApiProperty()
  finished: boolean;
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

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Always the number, also where a tag was asked for' })
  version: number;

  @ApiProperty({ type: FlowStateDto })
  state: FlowStateDto;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Raised by every step of this user in this version' })
  revision: number;

  @ApiPropertyOptional({ type: [BlockDto], description: 'With include=block: in the order of the definition' })
  blocks?: BlockDto[];
}
