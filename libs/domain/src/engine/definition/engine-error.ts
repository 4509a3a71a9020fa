/** What a caller of the engine can get wrong. */
export type EngineErrorCode =
  /** The flow has no exposed block with that uid. */
  | 'engine.unknown-block'
  /** Names that `checkNames` refuses (S13). */
  | 'engine.invalid-names'
  /** A definition that `checkDefinition` refuses. */
  | 'engine.invalid-definition'
  /** A recorded document of a format that this version does not know. */
  | 'engine.unknown-format';

/** Thrown for mistakes of the calling program only; what users do wrong is never thrown by the engine. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}
