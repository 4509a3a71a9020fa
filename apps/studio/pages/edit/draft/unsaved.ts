interface UnsavedText {
  text: string;
  /** Of the text that this one was made from. */
  sha256: string;
}

/**
 * What was typed and not saved, kept in this browser for each flow: nothing is lost with a tab or a
 * session (T5).
 */
export class Unsaved {
  private readonly key: string;

  constructor(flow: string | undefined) {
    this.key = `waymark:unsaved:${flow ?? ''}`;
  }

  load(): UnsavedText | undefined {
    try {
      const kept = JSON.parse(
        localStorage.getItem(this.key) ?? 'null',
      ) as Partial<UnsavedText> | null;
      return typeof kept?.text === 'string' && typeof kept.sha256 === 'string'
        ? (kept as UnsavedText)
        : undefined;
    } catch {
      return undefined;
    }
  }

  keep(kept: UnsavedText): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing asks before the page is left, all the same.
    }
  }

  forget(): void {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // As above.
    }
  }
}
