import { DomainError, type ErrorCode } from '@waymark/domain/errors';
import { draw, drawDraft } from './draw.js';
import { parse } from './parse.js';

/** The work whose time depends on what somebody wrote. */
const WORKS = { parse, draw, drawDraft };
export type Works = typeof WORKS;

/** One piece of work as it is asked for. */
export interface Asked {
  work: keyof Works;
  given: Parameters<Works[keyof Works]>;
}

/** What came of it, or why it was refused. */
export type Answer = { result: unknown } | { refused: { code: ErrorCode; message: string } };

/** Whatever passes between threads is a copy, an error would lose its class. */
export function doWork({ work, given }: Asked): Answer {
  try {
    return { result: (WORKS[work] as (...all: Asked['given']) => unknown)(...given) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}
