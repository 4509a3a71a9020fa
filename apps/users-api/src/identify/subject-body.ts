import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { describeBadIdentifier, isIdentifier } from '@waymark/domain/users';
import { IsArray, IsObject, Matches, ValidateBy, ValidateIf } from 'class-validator';
import type { BodyObject } from './body-part.js';

/** A property that identifies a user or a group (W7). */
export const IsIdentifier = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIdentifier',
    validator: {
      validate: isIdentifier,
      defaultMessage: (about) =>
        describeBadIdentifier(about?.value, about?.property ?? 'the identifier'),
    },
  });

/** Name or id of something that a user did: 1 to 128 code points (Z2). */
export const IsEventText = (): PropertyDecorator =>
  Matches(/^.{1,128}$/su, { message: '$property has to be a text of 1 to 128 characters' });

/** May be left out; `null` is a value like any other, and so mostly a wrong one (U2, U3). */
export const MayBeMissing = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Free properties: any JSON object. Looked at from outside only, however large it is. */
export const IsProperties = (): PropertyDecorator =>
  IsObject({ message: '$property has to be an object' });

const PROPERTIES = {
  type: Object,
  additionalProperties: true,
  required: false,
  description: 'Merged per top-level key with those stored; at most 1 MiB of JSON when merged',
  example: { plan: 'pro', seats: 12 },
} as const;

/**
 * What the decorators of both bodies say, for the common body: an identifier and an object, no
 * groups. A walk through class-validator's decorators costs more than the rest of reading such a
 * body, and most bodies of a batch are such.
 */
const isPlainlyRight = ({ identifier, properties, groups }: BodyObject): boolean =>
  isIdentifier(identifier) &&
  typeof properties === 'object' &&
  properties !== null &&
  !Array.isArray(properties) &&
  groups === undefined;

const IDENTIFIER = { minLength: 1, maxLength: 512, example: 'ada@example.com' } as const;

/** A group to write, by itself or within a user (U1, U3). */
@ApiSchema({ name: 'Group' })
export class GroupBody {
  static readonly isPlainlyRight = isPlainlyRight;

  @IsIdentifier()
  @ApiProperty({ ...IDENTIFIER, example: 'example-inc' })
  identifier: string;

  @MayBeMissing()
  @IsProperties()
  @ApiProperty(PROPERTIES)
  properties?: object;

  constructor({ identifier, properties }: BodyObject) {
    this.identifier = identifier as string;
    this.properties = properties as object;
  }
}

/** A user to write, with the groups that the user belongs to (U1, U3). */
@ApiSchema({ name: 'User' })
export class UserBody {
  static readonly isPlainlyRight = isPlainlyRight;

  @IsIdentifier()
  @ApiProperty(IDENTIFIER)
  identifier: string;

  @MayBeMissing()
  @IsProperties()
  @ApiProperty(PROPERTIES)
  properties?: object;

  /** Its items are checked one by one, as they are read. */
  @MayBeMissing()
  @IsArray({ message: '$property has to be a list' })
  @ApiProperty({
    type: () => [GroupBody],
    required: false,
    description: 'Groups not named keep this member',
  })
  groups?: GroupBody[];

  constructor({ identifier, properties, groups }: BodyObject) {
    this.identifier = identifier as string;
    this.properties = properties as object;
    this.groups = groups as unknown as GroupBody[];
  }
}
