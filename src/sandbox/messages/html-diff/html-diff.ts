import { stepsBetween } from "./matching.ts";
import { piecesOf, tokensOf } from "./tokens.ts";
import { BLOCKS, type Element, isElement, isVoid, type Node, parsed, serialized } from "./tree.ts";

/**
 * Marks the changes of an edit in the new text: the inserted and deleted words, as the server marks them with `lxml.html.diff` (`content_html_diff`
 * in a message's history). The markup is that of the new text, plus what fits of the old markup.
 */
export function markedDifferences(before: string, after: string): string {
  const tree = parsed(merged(before, after).join("").trim());
  moveIntoBlocks(tree);
  trimEnds(tree.children);
  // Parsed a second time, as on the server: only now do paragraphs end before the blocks that were moved.
  const nodes = parsed(serialized(tree.children.map(marked))).children;
  const [only, another] = nodes;
  return isElement(only) && another === undefined ? serialized(nodes) : `<div>${serialized(nodes)}</div>`;
}

/** Stretches of one or two equal words between changes are not shown as equal. */
const SMALLEST = 2;
const [DELETION, END_OF_DELETION] = ["\0<del>", "\0</del>"];

function merged(before: string, after: string): readonly string[] {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const steps = stepsBetween(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
    SMALLEST,
  );
  const pieces: string[] = [];
  for (const [what, a, aEnd, b, bEnd] of steps) {
    if (what === "equal") pieces.push(...piecesOf(now.slice(b, bEnd), true));
    if (what === "insert" || what === "replace") insert(piecesOf(now.slice(b, bEnd)), pieces);
    if (what === "delete" || what === "replace")
      pieces.push(DELETION, ...piecesOf(old.slice(a, aEnd)), END_OF_DELETION);
  }
  return settleDeletions(pieces);
}

type Balance = "balanced" | "start" | "end";
type Balanced = readonly [Balance, string];
const nameOf = (piece: string): string => /^<\/?([^\s>/]*)/.exec(piece)?.[1] ?? "";
const isStart = (piece: string): boolean => piece.startsWith("<") && !piece.startsWith("</");

/** Finds the pieces that are tags without their counterpart. */
function balanceOf(pieces: readonly string[]): readonly Balanced[] {
  const open: { readonly name: string; readonly piece: string; readonly outer: Balanced[] }[] = [];
  let found: Balanced[] = [];
  for (const piece of pieces) {
    const name = nameOf(piece);
    if (!piece.startsWith("<") || isVoid(name)) found.push(["balanced", piece]);
    else if (isStart(piece)) {
      open.push({ name, piece, outer: found });
      found = [];
    } else {
      let isClosed = false;
      for (let start = open.pop(); start !== undefined; start = open.pop()) {
        isClosed = start.name === name;
        start.outer.push([isClosed ? "balanced" : "start", start.piece], ...found);
        found = start.outer;
        if (isClosed) break;
      }
      found.push([isClosed ? "balanced" : "end", piece]);
    }
  }
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    start.outer.push(["start", start.piece], ...found);
    found = start.outer;
  }
  return found;
}

/** Marks only balanced pieces as new. */
function insert(pieces: readonly string[], into: string[]): void {
  let run: string[] = [];
  const flush = (): void => {
    if (run.length === 0) return;
    endWithBlank(into);
    into.push("<ins>", ...run.slice(0, -1), withoutBlank(run.at(-1) ?? ""), "</ins> ");
    run = [];
  };
  for (const [balance, piece] of balanceOf(pieces)) {
    if (balance === "balanced") run.push(piece);
    else {
      flush();
      into.push(piece);
    }
  }
  flush();
}
const withoutBlank = (piece: string): string => (piece.endsWith(" ") ? piece.slice(0, -1) : piece);
function endWithBlank(pieces: string[]): void {
  const last = pieces.at(-1);
  if (last !== undefined && !last.endsWith(" ")) pieces[pieces.length - 1] = `${last} `;
}

/** Puts `<del>` at the marks. Tags whose counterpart remains move out of it if the same tag is next to it; otherwise they are dropped. */
function settleDeletions(pieces: readonly string[]): readonly string[] {
  const done: string[] = [];
  let rest = [...pieces];
  for (let start = rest.indexOf(DELETION); start >= 0; start = rest.indexOf(DELETION)) {
    const end = rest.indexOf(END_OF_DELETION, start);
    const deleted = balanceOf(rest.slice(start + 1, end));
    done.push(...rest.slice(0, start));
    rest = rest.slice(end + 1);
    const starts = deleted.slice(0, lengthWhile(deleted, "start"));
    const ends = deleted.slice(deleted.length - lengthWhile([...deleted].reverse(), "end"));
    const startsMoved = movable(starts, rest, isStart);
    const endsMoved = movable([...ends].reverse(), [...done].reverse(), (piece) => piece.startsWith("</"));
    const kept = deleted.slice(starts.length, deleted.length - ends.length).map(([, piece]) => piece);
    const after = endsMoved === 0 ? [] : done.splice(done.length - endsMoved);
    done.push(...starts.slice(0, startsMoved).map(([, piece]) => piece));
    endWithBlank(done);
    done.push("<del>", ...kept.slice(0, -1), withoutBlank(kept.at(-1) ?? ""), "</del> ");
    done.push(...(after.length === 0 ? [] : ends.slice(ends.length - endsMoved).map(([, piece]) => piece)));
    rest = rest.slice(startsMoved);
  }
  return [...done, ...rest];
}
const lengthWhile = (list: readonly Balanced[], balance: Balance): number => {
  const end = list.findIndex(([each]) => each !== balance);
  return end < 0 ? list.length : end;
};
/** How many of the tags match the neighboring tags, starting with the nearest. */
function movable(tags: readonly Balanced[], neighbours: readonly string[], fits: (piece: string) => boolean): number {
  let count = 0;
  for (const [, tag] of tags) {
    const neighbour = neighbours[count];
    if (neighbour === undefined || !fits(neighbour) || ["ins", "del"].includes(nameOf(neighbour))) break;
    if (nameOf(neighbour) !== nameOf(tag)) break;
    count += 1;
  }
  return count;
}

const isMark = (node: Node): node is Element => isElement(node) && (node.tag === "ins" || node.tag === "del");
const hasBlock = (node: Node): boolean => isElement(node) && (BLOCKS.has(node.tag) || node.children.some(hasBlock));

/** A mark is inside blocks, never around them. */
function moveIntoBlocks(element: Element): void {
  element.children = element.children.flatMap((child) => {
    if (!isMark(child) || !child.children.some(hasBlock)) return [child];
    return markedInside(child.children, child.tag);
  });
  for (const child of element.children) if (isElement(child)) moveIntoBlocks(child);
}
/** Text after a marked element belongs to the same mark; text at the start, or after a block, gets its own mark. */
function markedInside(nodes: readonly Node[], tag: string): Node[] {
  const done: Node[] = [];
  let before: Node | undefined;
  for (const node of nodes) {
    const last = done.at(-1);
    if (isElement(node) && hasBlock(node))
      done.push(
        node.children.some(hasBlock)
          ? { ...node, children: markedInside(node.children, tag) }
          : { ...node, children: [{ tag, attributes: "", children: node.children }] },
      );
    else if (!isElement(node) && isElement(last) && isElement(before) && !hasBlock(before)) last.children.push(node);
    else done.push({ tag, attributes: "", children: [node] });
    before = node;
  }
  return done;
}

const CLASSES: { readonly [tag: string]: string } = { ins: "highlight_text_inserted", del: "highlight_text_deleted" };
function marked(node: Node): Node {
  if (!isElement(node)) return node;
  const children = node.children.map(marked);
  const markClass = CLASSES[node.tag];
  return markClass === undefined
    ? { ...node, children }
    : { tag: "span", attributes: ` class="${markClass}"`, children };
}
function trimEnds(nodes: Node[]): void {
  const last = nodes.length - 1;
  if (typeof nodes[0] === "string") nodes[0] = nodes[0].trimStart();
  const end = nodes[last];
  if (typeof end === "string") nodes[last] = end.trimEnd();
  nodes.splice(0, nodes.length, ...nodes.filter((node) => node !== ""));
}
