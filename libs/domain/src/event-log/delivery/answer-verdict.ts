/** What an answer means for what was sent (E8). */
export type AnswerVerdict = 'delivered' | 'refused' | 'down' | 'gone';

/** Answers below 500 that are about the receiver and not about the event: everything waits, and nothing is dropped. */
const OF_THE_RECEIVER = new Set([401, 403, 404, 408, 425, 429]);

export function verdictOf(status: number): AnswerVerdict {
  if (status >= 200 && status <= 299) return 'delivered';
  if (status === 410) return 'gone';
  return status >= 400 && status <= 499 && !OF_THE_RECEIVER.has(status) ? 'refused' : 'down';
}

/** An answer in words, without its body, which may be anything. */
export function describeAnswer(status: number): string {
  const hint = status >= 300 && status <= 399 ? ', redirects are not followed' : '';
  return `answered ${status}${hint}`;
}
