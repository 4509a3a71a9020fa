import { isScalar, stringify } from 'yaml';
import { isSid } from '../../engine/index.js';
import { ExpressionSyntaxError, expandSegments, type SegmentTexts } from '../../targeting/index.js';
import { expressionOffset } from '../source/expression-offset.js';
import type { FileNode } from '../source/file-node.js';
import type { FlowSource } from '../source/flow-source.js';
import { quote } from '../source/wording.js';
import { parseSharedFile, type ParsedFile } from './parse-shared-file.js';

const MOST_SEGMENTS = 1_000;
/**
 * Of all segments with those that they mention in their place: a small file that mentions much must
 * not keep the reader busy.
 */
const MOST_CHARACTERS = 1_000_000;
/** What a refused segment counts as: the most that one may have. */
const REFUSED_CHARACTERS = 10_000;

/** Reads `segments.yaml` (Z6). */
export const parseSegmentsFile = (
  text: string,
  options: { file: string },
): ParsedFile<SegmentTexts> => parseSharedFile(text, options, readSegments);

/** The file that has these segments. */
export const formatSegmentsFile = (segments: SegmentTexts): string =>
  stringify({ segments }, { lineWidth: 0 });

function readSegments(file: FileNode, source: FlowSource): SegmentTexts {
  const segments = file.parts('a file of segments', ['segments']).get('segments');
  if (!segments) {
    if (file.isMap()) file.reportMissing('segments', 'a file of segments needs segments: {}');
    return {};
  }
  const entries = segments.entries('segments as a map of names and conditions');
  if (entries.length > MOST_SEGMENTS)
    segments.report('segment.too-many', `there are at most ${MOST_SEGMENTS} segments`);
  const read = entries.map(({ key, value }) => {
    if (!isSid(key))
      value.reportKey(
        'segment.bad-name',
        `${quote(key)} cannot name a segment: use 1 to 128 letters, digits, "_" and "-", beginning with a letter or digit`,
      );
    return { key, value, text: value.text('a segment, a condition,') };
  });
  const texts = Object.fromEntries(read.map(({ key, text = 'true' }) => [key, text]));
  const alone = Object.fromEntries(read.map(({ key }) => [key, 'true']));
  /** The characters of the condition with others in their place; null where that cannot be. */
  const check = ({ value, text = 'true' }: (typeof read)[number], others: SegmentTexts) => {
    const expanded = expand(text, others);
    if (typeof expanded === 'string') return expanded.length;
    source.add({
      offset: isScalar(value.node)
        ? expressionOffset(source.text, value.node, expanded)
        : value.offset,
      code: 'expression.syntax',
      message: expanded.message,
      place: value.place,
      severity: 'error',
    });
    return null;
  };
  // What leads back to itself, or is too long, is only looked for among segments that can be read.
  if (!read.map((one) => check(one, alone)).every((characters) => characters !== null))
    return texts;
  let characters = 0;
  for (const one of read) {
    characters += check(one, texts) ?? REFUSED_CHARACTERS;
    if (characters <= MOST_CHARACTERS) continue;
    segments.report(
      'segment.too-long',
      `segments have at most ${MOST_CHARACTERS.toLocaleString('en-US')} characters together, those that they mention in their place`,
    );
    break;
  }
  return texts;
}

function expand(text: string, others: SegmentTexts): string | ExpressionSyntaxError {
  try {
    return expandSegments(text, others);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error;
    throw error;
  }
}
