import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  Checked,
  DraftPicture,
  Source,
  TryResult,
  Vocabulary,
} from '../../../src/edit/edit-views.js';
import type { ConditionNames } from '../../../src/conditions/condition-views.js';
import { call, CallError, path } from '../../api/call.js';
import { CachedPicture } from '../../api/cached-picture.js';
import { stream } from '../../api/stream.js';
import { foldedBlocks } from '../../controls/folded.js';
import { FlowText, type Place } from '@waymark/domain/flow-files/text';
import { Unsaved } from './unsaved.js';

const PAUSE_MS = 250;
const REMEMBERED = 200;

/**
 * A property that a walk is tried with and its value, or an event and how often it happened, as
 * they are typed.
 */
export interface Tried {
  readonly name: string;
  readonly value: string;
}

/**
 * One flow that is being edited: its text is the one document, everything else follows from it
 * (T9).
 */
export class Editing {
  readonly text: Signal<string>;
  readonly source: ReadonlySignal<FlowText>;
  readonly checked = signal<Checked | undefined>(undefined);
  /** The last picture that was drawn. */
  readonly svg = signal<string | undefined>(undefined);
  /** Why the picture is of another text than this. */
  readonly noPicture = signal<DraftPicture['noPicture']>(undefined);
  /** Whether what was checked and drawn is the present text. */
  readonly isChecking = signal(true);
  readonly trouble = signal<string | undefined>(undefined);
  readonly chosen = signal<string | undefined>(undefined);
  /** The item of it that is being edited. */
  readonly item = signal<string | undefined>(undefined);
  /** The place whose field is to have the focus, until it has. */
  readonly wanted = signal<Place | undefined>(undefined);
  /** The block that the preview shows while texts of the whole flow are translated. */
  readonly translated = signal<string | undefined>(undefined);
  /** In which its texts are shown; undefined for its own. */
  readonly language = signal<string | undefined>(undefined);
  /** How far playing the flow has come. */
  readonly tried = signal<TryResult | undefined>(undefined);
  /** The walk itself: its steps, and who takes it. */
  readonly walk = {
    steps: signal<readonly string[]>(['read']),
    user: signal(''),
    properties: signal<readonly Tried[]>([]),
    events: signal<readonly Tried[]>([]),
  };
  /** Names of the properties that exist, once they are loaded. */
  readonly names = signal<ConditionNames>({
    user: [],
    group: [],
    segments: [],
    events: [],
  });
  readonly savedText: Signal<string>;
  readonly isSaved: ReadonlySignal<boolean>;
  readonly mayUndo = signal(false);
  readonly mayRedo = signal(false);
  /** How the text that another person saved in between differs. */
  readonly conflict = signal<string | undefined>(undefined);

  private readonly picture = new CachedPicture();
  private hasNames = false;
  private before: string[] = [];
  private after: string[] = [];
  private lastChange = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;
  private sha256: string;

  constructor(
    readonly environment: string,
    /** Undefined for one that is new. */
    readonly flow: string | undefined,
    source: Source,
    readonly vocabulary: Vocabulary,
    private readonly unsaved = new Unsaved(flow),
  ) {
    const kept = unsaved.load();
    this.savedText = signal(source.text);
    this.text = signal(kept?.text ?? source.text);
    // What was typed before was made from the text of that time: a later save by another user is
    // not overwritten.
    this.sha256 = kept?.sha256 ?? source.sha256;
    this.source = computed(() => FlowText.of(this.text.value));
    this.isSaved = computed(() => this.text.value === this.savedText.value);
    void this.check();
  }

  /** Whether the text was typed in this browser before and not saved. */
  get isRestored(): boolean {
    return !this.isSaved.peek() && this.before.length === 0;
  }

  /**
   * Changes of the same kind one after the other are undone together, such as the letters of a
   * word.
   */
  change(next: string, kind = ''): void {
    if (next === this.text.peek()) return;
    if (kind === '' || kind !== this.lastChange)
      this.before = [...this.before, this.text.peek()].slice(-REMEMBERED);
    this.after = [];
    this.lastChange = kind;
    this.show(next);
  }

  undo(): void {
    this.step(this.before, this.after);
  }

  redo(): void {
    this.step(this.after, this.before);
  }

  discard(): void {
    this.change(this.savedText.peek());
    this.unsaved.forget();
  }

  /**
   * The block and item that are written at a place of the text, or the flow itself; nothing while
   * the text is no YAML.
   */
  chooseAt(offset: number): void {
    const source = this.source.peek();
    if (!source.isSound) return;
    const block = source.keyAt(['blocks'], offset);
    this.chosen.value = block;
    this.item.value = block && source.keyAt(['blocks', block, 'items'], offset);
  }

  /** Shows the part of the form in which a place of the text is written. */
  lead(place: Place): void {
    const [part, name, below, item] = place.map(String);
    this.language.value = part === 'languages' ? name : undefined;
    this.chosen.value = part === 'blocks' ? name : undefined;
    this.item.value = below === 'items' ? item : undefined;
    this.wanted.value = place;
  }

  /** Writes a new block or item, and leads to what is filled in first. */
  begin(text: string, place: Place): void {
    this.change(text);
    this.lead(firstValue(this.source.peek(), place));
  }

  /** Writes version 0. Answers the identifier of the flow, or undefined where it was refused. */
  async save({ overwrite = false } = {}): Promise<string | undefined> {
    const text = this.text.peek();
    this.trouble.value = undefined;
    try {
      if (overwrite)
        this.sha256 = (
          await call<Source>(path`/api/${this.environment}/flows/${this.flow!}/source`)
        ).sha256;
      const saved = await call<{ flow: string; sha256: string }>(
        path`/api/${this.environment}/flows`,
        {
          body: { text, ifMatch: this.sha256 },
        },
      );
      this.sha256 = saved.sha256;
      this.savedText.value = text;
      this.conflict.value = undefined;
      this.unsaved.forget();
      return saved.flow;
    } catch (error) {
      const message = error instanceof CallError ? error.message : String(error);
      if (error instanceof CallError && error.status === 409) this.conflict.value = message;
      else this.trouble.value = message;
      return undefined;
    }
  }

  /** For completion, which does without where they cannot be had. */
  loadNames(): void {
    if (this.hasNames) return;
    this.hasNames = true;
    call<ConditionNames>(path`/api/${this.environment}/property-names`).then(
      (names) => (this.names.value = names),
      () => (this.hasNames = false),
    );
  }

  /** Draws a large flow too. */
  async draw(): Promise<void> {
    await this.check(true);
  }

  /** Draws the same text in another way. */
  async redraw(): Promise<void> {
    await this.check();
  }

  private step(from: string[], to: string[]): void {
    const next = from.pop();
    if (next === undefined) return;
    to.push(this.text.peek());
    this.lastChange = '';
    this.show(next);
  }

  private show(next: string): void {
    this.text.value = next;
    this.mayUndo.value = this.before.length > 0;
    this.mayRedo.value = this.after.length > 0;
    if (this.isSaved.peek()) this.unsaved.forget();
    else this.unsaved.keep({ text: next, sha256: this.sha256 });
    this.isChecking.value = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), PAUSE_MS);
  }

  private async check(draw = false): Promise<void> {
    this.running?.abort();
    const running = (this.running = new AbortController());
    try {
      const body = {
        text: this.text.peek(),
        ...(draw && { draw }),
        ...foldedBlocks(),
        ...this.picture.had,
      };
      const drawn = await stream<DraftPicture, Checked>(path`/api/${this.environment}/check`, {
        body,
        signal: running.signal,
        onProgress: (checked) => (this.checked.value = checked),
      });
      if (drawn.noPicture === undefined) this.svg.value = this.picture.complete(drawn).svg;
      this.noPicture.value = drawn.noPicture;
      this.isChecking.value = false;
    } catch (error) {
      if (!running.signal.aborted)
        this.trouble.value = error instanceof CallError ? error.message : String(error);
    }
  }
}

/** Of a block or item: its first value but for the type. */
function firstValue(source: FlowText, place: Place): Place {
  const first = source.keys(place).find((key) => key !== 'type');
  return first === undefined ? place : firstValue(source, [...place, first]);
}
