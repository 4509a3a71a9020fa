import type { Command } from 'commander';
import { Declined, CommandRefusal } from '../refusal/command-refusal.js';
import { operation } from './operation.js';
import type { Session, TriedChange } from './session.js';

/** What is tried, from operands and options. */
type Tried<Args extends unknown[]> = { of(...args: Args): TriedChange | null }['of'];

/**
 * An operation that changes something, so that every run of it leaves one row in the audit log (I7): the change leaves it
 * itself, and what is refused before the change begins leaves it here. `tried` says what the change is called there, null for
 * a run that only looks, such as a dry one. A line that is wrong in itself was never tried, and leaves none.
 */
export function recorded<Args extends unknown[]>(
  tried: string | Tried<Args>,
  work: (session: Session, ...args: Args) => Promise<void>,
): (...args: [...Args, Command]) => Promise<void> {
  return operation<Args>(async (session, ...args) => {
    try {
      await work(session, ...args);
    } catch (error) {
      const change = typeof tried === 'string' ? { action: tried } : tried(...args);
      // Whatever becomes of the row, the refusal is the one to tell.
      if (change && wasTried(error)) await session.recordRefusal(change, await told(error)).catch(() => undefined);
      throw error;
    }
  });
}

const wasTried = (error: unknown): boolean => !(error instanceof CommandRefusal) || error.status === 'refused';

/** The error in words of the domain; a no to a question is somebody who stops it. */
async function told(error: unknown): Promise<unknown> {
  if (error instanceof Declined) return new DOMException(error.message, 'AbortError');
  if (!(error instanceof CommandRefusal)) return error;
  const { invalidRequest } = await import('@waymark/domain/errors');
  return invalidRequest(error.message, { cause: error });
}
