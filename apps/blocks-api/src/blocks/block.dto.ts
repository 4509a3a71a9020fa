import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const TYPES = ['custom', 'card', 'modal', 'checklist', 'checklistItem', 'hints', 'hintsItem', 'tour', 'tourItem'] as const;
const VALUES = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: {} }, { type: 'null' }];

class BlockStateDto {
  @ApiProperty()
  active: boolean;

  @ApiProperty()
  entered: boolean;

  @ApiProperty()
  exited: boolean;
}

/** A value of a block (B7). */
export class FieldDto {
  @ApiProperty()
  sid: string;

  @ApiProperty({ enum: ['string', 'number', 'boolean', 'richText'] })
  type: string;

  @ApiProperty({ oneOf: VALUES as never, description: 'null where the field was emptied; a list of nodes for rich text' })
  value: unknown;
}

/** What the docs say of a Block (B6); answers are written by `FlowTexts`. */
export class BlockDto {
  @ApiProperty({ enum: ['block'] })
  kind: 'block';

  @ApiProperty({ enum: TYPES })
  type: (typeof TYPES)[number];

  @ApiProperty({ description: 'Opaque, the same in every version' })
  uid: string;

  @ApiProperty({ description: '<flow>.<block>' })
  sid: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  version: number;

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
