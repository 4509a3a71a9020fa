/**
 * Something that may be on the page only while nothing else of its kind is: a modal, or an item of
 * a tour.
 */
export interface Claim {
  /** Nothing else of the page can be reached while it is shown. */
  readonly isModal?: boolean;
  /** Its position among the others: of its client, of the flow in it, of the block in that. */
  rank(): readonly number[];
  /** Whether it could be shown now. */
  isReady(): boolean;
  /** The turn came, or went. */
  onTurn(hasTurn: boolean): void;
}

/**
 * One turn for all claims of a page (N4). A claim that could be shown keeps the turn, whatever
 * comes.
 */
export class Turn {
  private readonly claims = new Set<Claim>();
  private holder: Claim | undefined;

  /** Returns a function that withdraws the claim, without calling it again. */
  claim(claim: Claim): () => void {
    this.claims.add(claim);
    this.look();
    return () => {
      this.claims.delete(claim);
      if (this.holder === claim) this.holder = undefined;
      this.look();
    };
  }

  has(claim: Claim): boolean {
    return this.holder === claim;
  }

  /** Whether a modal is shown. */
  get isModal(): boolean {
    return this.holder?.isModal === true;
  }

  /** Gives the turn on where its holder can no longer be shown. */
  look(): void {
    const before = this.holder;
    if (before?.isReady()) return;
    this.holder = [...this.claims].filter((claim) => claim.isReady()).sort(byRank)[0];
    if (before === this.holder) return;
    before?.onTurn(false);
    this.holder?.onTurn(true);
  }
}

function byRank(one: Claim, other: Claim): number {
  const [a, b] = [one.rank(), other.rank()];
  const place = a.findIndex((number, index) => number !== b[index]);
  return place < 0 ? 0 : a[place]! - b[place]!;
}
