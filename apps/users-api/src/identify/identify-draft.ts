import type { Json } from '@waymark/domain/json';
import { findRawMember, rawItems } from '@waymark/domain/json';
import type { IdentifyRequest, IdentifiedSubject } from '@waymark/domain/users';
import { checkPart, parsePart, type BodyPart } from './body-part.js';
import { GroupBody, UserBody } from './subject-body.js';

const propertiesOf = ({ text }: BodyPart): string => findRawMember(text, 'properties') ?? '{}';

/** What a request asks to be written, put together part by part; every part is checked as it comes. */
export class IdentifyDraft implements IdentifyRequest {
  readonly users: IdentifiedSubject[] = [];
  readonly groups: IdentifiedSubject[] = [];
  readonly memberships: { user: string; group: string }[] = [];

  constructor(readonly environmentId: string) {}

  /** A user with the groups named in it, who becomes their member (U3). */
  addUser(part: BodyPart): void {
    const { identifier, groups } = checkPart(UserBody, part);
    this.users.push({ identifier, properties: propertiesOf(part), where: part.where });
    if (!groups?.length) return;
    const texts = rawItems(findRawMember(part.text, 'groups')!);
    for (const [index, value] of (groups as unknown as Json[]).entries()) {
      const where = `${part.where && `${part.where}.`}groups[${index}]`;
      const group = this.addGroup(parsePart(value, texts[index]!, where));
      this.memberships.push({ user: identifier, group });
    }
  }

  /** A group by itself; returns its identifier. */
  addGroup(part: BodyPart): string {
    const { identifier } = checkPart(GroupBody, part);
    this.groups.push({ identifier, properties: propertiesOf(part), where: part.where });
    return identifier;
  }
}
