import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FlowDto } from './flow.dto.js';

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
