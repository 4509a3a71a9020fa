import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { DomainError } from '../../database/errors/index.js';
import { type FlowDraft, mentionsSegments, withSegments } from '../../engine/index.js';
import { ExpressionSyntaxError, type SegmentTexts } from '../../targeting/index.js';

/** A condition with a name that other conditions mention, in all environments (Z6). */
@Entity('segments')
export class Segment {
  @PrimaryColumn('varchar', { length: 128 })
  name: string;

  /** In the file. */
  @Column('integer')
  position: number;

  @Column('text')
  text: string;
}

/** The present segments. */
export async function loadSegments(manager: EntityManager): Promise<SegmentTexts> {
  const rows = await manager.find(Segment, { order: { position: 'ASC' } });
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}

/**
 * Flows with the present segments, which are locked until this transaction ends. Throws
 * `definition.refused` as `withTexts` does.
 */
export async function withPresentSegments<Flow extends FlowDraft>(
  manager: EntityManager,
  flows: readonly Flow[],
): Promise<Flow[]> {
  const isMentioned = flows.some(mentionsSegments);
  if (isMentioned) await manager.query('LOCK TABLE segments IN SHARE MODE');
  const texts = isMentioned ? await loadSegments(manager) : {};
  return flows.map((flow) => withTexts(flow, texts));
}

/**
 * As a flow is with these segments. Throws `definition.refused` where it mentions others, or could
 * not be read with them.
 */
export function withTexts<Flow extends FlowDraft>(flow: Flow, texts: SegmentTexts): Flow {
  try {
    return withSegments(flow, texts);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw new DomainError(
      'definition.refused',
      `a condition of flow ${flow.flow} cannot be read with the segments: ${error.message}`,
      { cause: error },
    );
  }
}
