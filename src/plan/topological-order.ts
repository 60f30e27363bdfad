import type { DraftCall } from "../model/draft-call.ts";

/** Links that may go: an order does without them where they close a cycle. */
interface SoftLinks {
  has(from: number, to: number): boolean;
  /** Removes the link from the links that are searched. */
  drop(from: number, to: number): void;
}

type Order =
  | { readonly ok: true; readonly order: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly number[] };

/**
 * Every call after those that it is linked to; otherwise a cycle of positions, each linked to the next and the last to the first. Of a cycle with soft
 * links, the first of these is dropped.
 *
 * A search of a chain of links, each call once. After a link was dropped, the search goes on at the call that lost it, and not at the start: the path
 * before it has not changed. What was behind the link is known to lead to this call, so the call's other soft links into it are dropped without a
 * second look: a call that softly needs each part of a chain that needs the call takes as many steps as the chain has links.
 * @param links without duplicates
 */
export function topologicalOrder(
  drafts: readonly Pick<DraftCall, "rank">[],
  links: readonly Iterable<number>[],
  soft?: SoftLinks,
): Order {
  const rank = (index: number): number => drafts[index]?.rank ?? 0;
  const byRank = drafts.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
  const path = new Path(links, soft);
  const order: number[] = [];
  const done = new Set<number>();
  for (const start of byRank) {
    // An explicit stack: a chain of renames can be as long as the list.
    if (!done.has(start)) path.open(start);
    for (let index = path.last(); index !== undefined; index = path.last()) {
      const closing = path.closingLink();
      if (closing !== undefined) {
        if (!path.dropFrom(closing, closing)) return { ok: false, cycle: path.from(closing) };
        continue;
      }
      const next = path.nextLink(done);
      if (next === undefined) {
        done.add(index);
        order.push(index);
        path.close();
      } else {
        const leadsTo = path.knownCycle(next);
        if (leadsTo === undefined || !path.dropFrom(leadsTo, next)) path.open(next);
      }
    }
  }
  return { ok: true, order };
}

/** An open call, with its links that were not looked at yet. Without that, a call that needs ten thousand others would look at all of them after each. */
interface Open {
  readonly index: number;
  readonly position: number;
  /** Links that may lead to an open call. The path to a call stays as it is, so one look is enough. */
  readonly closing: Iterator<number>;
  readonly next: Iterator<number>;
}

/** The calls on the way from a start; each is linked to the next, so all of them wait for the last. */
class Path {
  private readonly stack: Open[] = [];
  private readonly opened = new Map<number, Open>();
  /** Positions in the path whose link to the next call is soft, in ascending order. */
  private readonly softAt: number[] = [];
  /** The call that lost a link last, and calls that lead to it as long as it is open and no other call loses a link. */
  private known: { readonly to: number; readonly calls: Set<number> } | undefined;
  private readonly links: readonly Iterable<number>[];
  private readonly soft: SoftLinks | undefined;

  constructor(links: readonly Iterable<number>[], soft: SoftLinks | undefined) {
    this.links = links;
    this.soft = soft;
  }

  last(): number | undefined {
    return this.stack.at(-1)?.index;
  }

  /** The calls from an open one to the last. */
  from(index: number): readonly number[] {
    return this.stack.slice(this.opened.get(index)?.position).map((open) => open.index);
  }

  open(index: number): void {
    const before = this.stack.at(-1);
    if (before !== undefined && this.soft?.has(before.index, index) === true) this.softAt.push(before.position);
    const own = this.links[index] ?? [];
    const open = { index, position: this.stack.length, closing: own[Symbol.iterator](), next: own[Symbol.iterator]() };
    this.stack.push(open);
    this.opened.set(index, open);
  }

  close(): void {
    const last = this.stack.pop();
    if (last !== undefined) this.opened.delete(last.index);
    if (this.softAt.at(-1) === this.stack.length - 1) this.softAt.pop();
  }

  /** The next link of the last call to an open one: both wait for each other. */
  closingLink(): number | undefined {
    return following(this.stack.at(-1)?.closing, (other) => this.opened.has(other));
  }

  nextLink(done: ReadonlySet<number>): number | undefined {
    return following(this.stack.at(-1)?.next, (other) => !done.has(other));
  }

  /** The open call to which a link of the last one is known to lead. */
  knownCycle(next: number): number | undefined {
    const { known } = this;
    return known?.calls.has(next) === true && this.opened.has(known.to) ? known.to : undefined;
  }

  /**
   * Drops the first soft link of a cycle, and leaves the path behind it.
   * @param first the open call at which the cycle starts
   * @param next the link of the last call that closes it
   * @returns false if none is soft
   */
  dropFrom(first: number, next: number): boolean {
    const last = this.stack.at(-1);
    const start = this.opened.get(first)?.position ?? 0;
    const found = firstFrom(this.softAt, start);
    const loser = found === undefined ? last : this.stack[found];
    if (last === undefined || loser === undefined) return false;
    const to = found === undefined ? next : this.stack[found + 1]?.index;
    if (to === undefined || this.soft?.has(loser.index, to) !== true) return false;
    this.soft.drop(loser.index, to);
    if (this.known?.to !== loser.index) this.known = { to: loser.index, calls: new Set() };
    while (this.stack.length > loser.position + 1) {
      this.known.calls.add(this.stack.at(-1)?.index ?? to);
      this.close();
    }
    return true;
  }
}

function following(links: Iterator<number> | undefined, is: (index: number) => boolean): number | undefined {
  for (let one = links?.next(); one !== undefined && one.done !== true; one = links?.next())
    if (is(one.value)) return one.value;
  return undefined;
}

/** The first of ascending numbers that is not less, by halves. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}
