import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';

export type Report = (offset: number, code: string, message: string) => void;

/**
 * Values and characters that all aliases of a file together may stand for: enough for any flow, too
 * little for a bomb.
 */
const MAX_ALIASED = 100_000;

/**
 * Walks every node once and reports what no reader could use: duplicate keys, keys that are not
 * text, aliases without end, text that PostgreSQL cannot hold (W7). Answers what each alias stands
 * for, or null after a report.
 */
export function checkNodes(root: Node, report: Report): Map<Node, Node> | null {
  const walk = new NodeWalk(report);
  walk.visit(root);
  if (walk.aliased > MAX_ALIASED) {
    const most = MAX_ALIASED.toLocaleString('en-US');
    walk.refuse(
      root,
      'file.alias',
      `the aliases of this file stand for more than ${most} values and characters; write fewer`,
    );
  }
  return walk.refused ? null : walk.targets;
}

class NodeWalk {
  readonly targets = new Map<Node, Node>();
  refused = false;
  aliased = 0;
  private readonly anchors = new Map<string, Node>();
  /** Values and characters that each finished node stands for, aliases included. */
  private readonly sizes = new Map<Node, number>();

  constructor(private readonly report: Report) {}

  refuse(node: Node, code: string, message: string): void {
    this.refused = true;
    this.report(node.range?.[0] ?? 0, code, message);
  }

  visit(node: Node): number {
    if (isAlias(node)) return this.visitAlias(node);
    if (node.anchor) this.anchors.set(node.anchor, node);
    const size = 1 + (isScalar(node) ? textOf(node).length : 0) + this.visitChildren(node);
    this.sizes.set(node, size);
    return size;
  }

  private visitChildren(node: Node): number {
    if (isScalar(node)) this.checkText(node);
    if (isMap(node)) return this.visitMap(node as YAMLMap<Node, Node | null>);
    if (isSeq(node))
      return node.items.reduce((sum: number, item) => sum + this.visit(item as Node), 0);
    return 0;
  }

  private visitMap(map: YAMLMap<Node, Node | null>): number {
    const keys = new Set<string>();
    return map.items.reduce((sum, pair) => sum + this.visitPair(pair, keys), 0);
  }

  private visitPair({ key, value }: Pair<Node, Node | null>, keys: Set<string>): number {
    if (!isScalar(key)) {
      this.refuse(key, 'file.key', 'a key must be plain text');
    } else {
      this.checkText(key);
      const text = textOf(key);
      if (keys.has(text))
        this.refuse(
          key,
          'file.duplicate-key',
          `${JSON.stringify(text)} is written twice here; keep one`,
        );
      keys.add(text);
      if (text === '<<' && isMerged(value))
        this.refuse(key, 'file.merge-key', 'merge keys (<<) are not supported; write the keys out');
    }
    return value ? this.visit(value) : 0;
  }

  private visitAlias(alias: Node & { source: string }): number {
    const target = this.anchors.get(alias.source);
    const size = target && this.sizes.get(target);
    if (!target || !size) {
      const why = target
        ? `contains itself`
        : `stands for nothing: no &${alias.source} comes before it`;
      this.refuse(alias, 'file.alias', `*${alias.source} ${why}`);
      return 0;
    }
    this.targets.set(alias, target);
    this.aliased += size;
    return size;
  }

  private checkText(node: Scalar): void {
    const text = textOf(node);
    if (text.includes('\0'))
      this.refuse(node, 'file.text', 'text cannot hold the character U+0000');
    if (/\p{Surrogate}/u.test(text))
      this.refuse(
        node,
        'file.text',
        'text cannot hold half of a surrogate pair; write the whole character',
      );
  }
}

/** Elsewhere `<<` is a key like any other. */
function isMerged(value: Node | null): boolean {
  return isAlias(value) || (isSeq(value) && value.items.length > 0 && value.items.every(isAlias));
}

/** The very text written, whatever YAML would make of it: `10`, `007`, `true`, `no` (F1). */
export function textOf(node: Scalar): string {
  return node.source ?? String(node.value);
}
