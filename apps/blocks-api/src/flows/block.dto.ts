import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  EXPOSED_TYPES,
  type ExposedType,
  type Field,
  FIELD_TYPES,
  type FieldType,
} from '@waymark/domain/engine';
import type { Json } from '@waymark/domain/targeting';
import type { BlockView } from '@waymark/domain/states';

const VALUES = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'null' },
];

@ApiSchema({ name: 'BlockState' })
class BlockStateDto {
  @ApiProperty()
  active: boolean;

  @ApiProperty()
  entered: boolean;

  @ApiProperty()
  exited: boolean;
}

/** A value of a block (B7). */
@ApiSchema({ name: 'Field' })
class FieldDto implements Field {
  @ApiProperty()
  sid: string;

  @ApiProperty({ enum: FIELD_TYPES })
  type: FieldType;

  @ApiProperty({
    oneOf: VALUES,
    description: 'null where the field was emptied; a list of nodes for rich text',
  })
  value: Json;
}

/** What the docs say of a Block (B6); answers are written by `FlowJson`. */
@ApiSchema({ name: 'Block' })
export class BlockDto implements BlockView {
  @ApiProperty({ enum: ['block'] })
  kind: 'block';

  @ApiProperty({ enum: EXPOSED_TYPES })
  type: ExposedType;

  @ApiProperty({ description: 'Opaque, the same in every version' })
  uid: string;

  @ApiProperty({ description: '<flow>.<block>' })
  sid: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  version: number;

  @ApiPropertyOptional({ description: 'Of the texts, a tag of BCP 47; where the flow has several' })
  language?: string;

  @ApiProperty({ type: BlockStateDto })
  state: BlockStateDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    description: 'Every transition the block has, true once taken',
  })
  transitioned: Record<string, boolean>;

  @ApiProperty({ type: [FieldDto] })
  fields: FieldDto[];

  @ApiPropertyOptional({ description: 'The container of an item' })
  containerUid?: string;
}
