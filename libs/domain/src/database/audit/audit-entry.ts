import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { invalidRequest } from '../errors/index.js';

/**
 * How a change ended. `begun`: it is under way, or its process was killed. There may be more
 * members, such as `version` or `deleted`, the `code` of a refusal, and the `client` that acted for
 * the author.
 */
export interface AuditResult {
  readonly outcome: 'begun' | 'done' | 'refused' | 'stopped' | 'failed';
}

/** One change that an operator made or tried to make (I7). No command edits it. */
@Entity('audit_log')
@Index('audit_log_at', ['at'])
export class AuditEntry {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  by: string;

  /** `noun.verb`, such as `flow.commit`. */
  @Column('varchar', { length: 64 })
  action: string;

  /** What it was done to, in a few words that name no user. */
  @Column('text', { nullable: true })
  subject: string | null;

  /** The user it was done to, so that nobody's identifier outlives its deletion. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** Null for what concerns all environments, as flows do. */
  @Column('uuid', { name: 'environment_id', nullable: true })
  environmentId: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('jsonb')
  result: AuditResult;
}

/** Who requests a change, and why: what the audit log keeps of a person (I7). */
export interface Author {
  /** A name, an account or the person who signed in; 1 to 256 characters. */
  readonly by: string;
  /** For those who read the log later; at most 1,000 characters. */
  readonly reason?: string;
  /** The program that acts for them, as it names itself; at most 64 characters (M2). */
  readonly client?: string;
}

const LONGEST = { by: 256, reason: 1_000, client: 64 };

/** Throws `request.invalid` for what the log cannot keep. */
export function checkAuthor({ by, reason, client }: Author): void {
  if (!by.trim()) throw invalidRequest('a change needs a name for the audit log');
  checkText('the name in the audit log', by, LONGEST.by);
  if (reason !== undefined) checkText('a reason', reason, LONGEST.reason);
  if (client !== undefined) checkText('the name of a client', client, LONGEST.client);
}

function checkText(what: string, text: string, longest: number): void {
  const { length } = [...text];
  if (length > longest)
    throw invalidRequest(`${what} has at most ${longest} characters, this one has ${length}`);
  if (text.includes('\0')) throw invalidRequest(`${what} cannot contain the character U+0000`);
}
