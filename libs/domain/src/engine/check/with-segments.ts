import { expandSegments, parseExpression, type SegmentTexts } from '../../targeting/index.js';
import type { FlowDraft } from '../definition/definition.js';
import { conditionsOf } from './rules/properties.js';

/** Whether a condition of the flow mentions a segment (Z6). */
export const mentionsSegments = (flow: FlowDraft): boolean =>
  conditionsOf(flow).some(({ source }) => mentionedIn(source).length > 0);

/**
 * The flow with the texts of the segments that its conditions mention, also within segments, and of
 * no others (Z6). Throws `ExpressionSyntaxError` where one cannot be put in its place.
 */
export function withSegments<Flow extends FlowDraft>(
  { segments: _, ...flow }: Flow,
  texts: SegmentTexts,
): Flow {
  const used = new Set<string>();
  const pending = conditionsOf(flow as FlowDraft).flatMap(({ source }) => {
    const names = mentionedIn(source);
    if (names.length > 0) expandSegments(source, texts);
    return names;
  });
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    pending.push(...mentionedIn(texts[name]!));
  }
  if (used.size === 0) return flow as Flow;
  const segments = Object.fromEntries([...used].sort().map((name) => [name, texts[name]!]));
  return { ...flow, segments } as Flow;
}

/** Most conditions mention none, and need not be read for it. */
const mentionedIn = (source: string): readonly string[] =>
  source.includes('segment') ? parseExpression(source, 'any').segments : [];
