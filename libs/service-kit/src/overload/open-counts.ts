/** How many of something are open, by name. */
export class OpenCounts {
  private readonly byName = new Map<string, number>();

  of(name: string): number {
    return this.byName.get(name) ?? 0;
  }

  add(name: string): void {
    this.byName.set(name, this.of(name) + 1);
  }

  remove(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.byName.set(name, left);
    else this.byName.delete(name);
  }
}
