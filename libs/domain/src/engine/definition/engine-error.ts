/** What a caller of the engine can get wrong. */
type EngineErrorCode =
  /** The flow has no exposed block with that uid. */
  | 'engine.unknown-block'
  /** Names that `checkNames` refuses (S13). */
  | 'engine.invalid-names'
  /** A split was reached in a context without the id of its user (K1). */
  | 'engine.no-subject'
  /** A definition that `checkDefinition` refuses. */
  | 'engine.invalid-definition'
  /**
   * A document of a format, or with a type of block or a kind of change, that this version does not
   * know (R17).
   */
  | 'engine.unknown-format';

/**
 * Thrown for mistakes of the calling program only; what users do wrong is never thrown by the
 * engine.
 */
export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}
