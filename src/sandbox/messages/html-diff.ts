import { words } from "../../model/synonyms.ts";
import { attribute, text } from "./markdown.ts";

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

/** A word with the tags directly before and after it. A picture is a word, and so is the target of a link, which is shown only if it changed. */
interface Token {
  readonly text: string;
  readonly html: string;
  readonly before: readonly string[];
  readonly after: string[];
  readonly space: string;
  readonly isHidden: boolean;
}

interface Chunk {
  readonly kind: "start" | "end" | "word" | "picture" | "link";
  readonly html: string;
  readonly text: string;
}
const chunk = (kind: Chunk["kind"], html: string, text = html): Chunk => ({ kind, html, text });

/** Words with their trailing white space. */
const wordChunks = (text: string): Chunk[] =>
  (text.trim() === "" ? [] : (text.match(/\S+(?:\s+|$)/g) ?? [])).map((word) => chunk("word", escaped(word)));

function chunksOf(element: Element): Chunk[] {
  return element.children.flatMap((child, place) => {
    if (!isElement(child)) return wordChunks(child);
    const start = `<${child.tag}${child.attributes}>`;
    const next = element.children[place + 1];
    const end = `</${child.tag}>${typeof next === "string" && /^[ \t\n\r]/.test(next) ? " " : ""}`;
    const first =
      child.tag === "img" ? chunk("picture", start, `img: ${attributeOf(child, "src") ?? ""}`) : chunk("start", start);
    // An element without an end tag and with nothing after it consists only of its start tag.
    if (isVoid(child.tag) && typeof next !== "string") return [first];
    const link = child.tag === "a" ? attributeOf(child, "href") : undefined;
    return [
      first,
      ...chunksOf(child),
      ...(link === undefined || link === "" ? [] : [chunk("link", ` Link: ${link}`, link)]),
      chunk("end", end),
    ];
  });
}

function tokensOf(html: string): readonly Token[] {
  const tokens: Token[] = [];
  let pending: string[] = [];
  for (const { kind, html: piece, text } of chunksOf(parsed(html.replace(/<\/?(?:ins|del).*?>/gis, "")))) {
    const last = tokens.at(-1);
    if (kind === "start" || (kind === "end" && (pending.length > 0 || last === undefined))) pending.push(piece);
    else if (kind === "end") last?.after.push(piece);
    else {
      const bare = piece.trimEnd();
      const space = kind === "link" ? " " : piece.slice(bare.length);
      const shown = kind === "link" ? piece : bare;
      tokens.push({
        text: kind === "word" ? bare : text,
        html: shown,
        before: pending,
        after: [],
        space,
        isHidden: kind === "link",
      });
      pending = [];
    }
  }
  if (tokens.length === 0) return [{ text: "", html: "", before: pending, after: [], space: "", isHidden: false }];
  tokens.at(-1)?.after.push(...pending);
  return tokens;
}

/** The pieces from which tokens are made. */
const piecesOf = (tokens: readonly Token[], isEqual = false): string[] =>
  tokens.flatMap(({ before, html, space, after, isHidden }) => [
    ...before,
    ...(isEqual && isHidden ? [] : [html + space]),
    ...after,
  ]);

/** Finds the equal parts of two lists: the longest common stretch, then recursively those to its left and right (as Python's difflib). */

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}
type Step = readonly [
  what: "equal" | "insert" | "delete" | "replace",
  a: number,
  aEnd: number,
  b: number,
  bEnd: number,
];

/** In lists of at least this length, an element at more than one percent of the positions is not a starting point; this keeps the work linear. */
const MANY = 200;

/** @param smallest stretches of at most this length are ignored, unless the list is short */
function stepsBetween(a: readonly string[], b: readonly string[], smallest: number): readonly Step[] {
  const ignored = Math.min(smallest, Math.floor(b.length / 4));
  const blocks = blocksOf(a, b).filter(({ size }) => size > ignored || size === 0);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const block of blocks) {
    if (i < block.a && j < block.b) steps.push(["replace", i, block.a, j, block.b]);
    else if (i < block.a) steps.push(["delete", i, block.a, j, block.b]);
    else if (j < block.b) steps.push(["insert", i, block.a, j, block.b]);
    [i, j] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) steps.push(["equal", block.a, i, block.b, j]);
  }
  return steps;
}

/** Ascending, with adjacent blocks merged, and with an empty block at the end of both lists. */
function blocksOf(a: readonly string[], b: readonly string[]): readonly Block[] {
  const places = placesOf(b);
  const found: Block[] = [];
  const waiting: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const [aStart, aEnd, bStart, bEnd] = range;
    const block = longest(a, b, places, range);
    if (block.size === 0) continue;
    found.push(block);
    if (aStart < block.a && bStart < block.b) waiting.push([aStart, block.a, bStart, block.b]);
    const [aNext, bNext] = [block.a + block.size, block.b + block.size];
    if (aNext < aEnd && bNext < bEnd) waiting.push([aNext, aEnd, bNext, bEnd]);
  }
  found.sort((x, y) => x.a - y.a || x.b - y.b);
  const joined: Block[] = [];
  for (const block of found) {
    const before = joined.at(-1);
    if (before !== undefined && before.a + before.size === block.a && before.b + before.size === block.b)
      joined[joined.length - 1] = { ...before, size: before.size + block.size };
    else joined.push(block);
  }
  return [...joined, { a: a.length, b: b.length, size: 0 }];
}

function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  b.forEach((each, place) => {
    const known = places.get(each);
    if (known === undefined) places.set(each, [place]);
    else known.push(place);
  });
  if (b.length >= MANY)
    for (const [each, list] of places) if (list.length > Math.floor(b.length / 100) + 1) places.delete(each);
  return places;
}

/** Among stretches of equal length, the one that starts first: in the first list, then in the second. */
function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aStart, aEnd, bStart, bEnd]: readonly [number, number, number, number],
): Block {
  let best: Block = { a: aStart, b: bStart, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < bStart) continue;
      if (j >= bEnd) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  // Elements that are not starting points can still extend a stretch.
  while (i > aStart && j > bStart && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aEnd && j + size < bEnd && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}

/** The HTML that this server renders, as a tree: well-formed, with a few elements that have no end tag. */

interface Element {
  tag: string;
  attributes: string;
  children: Node[];
}
type Node = Element | string;

const VOID: ReadonlySet<string> = new Set(words("area base br col embed hr img input link meta param source wbr"));
const isVoid = (tag: string): boolean => VOID.has(tag);
const isElement = (node: Node | undefined): node is Element => typeof node === "object";

const PIECE = /<(\/?)([a-zA-Z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*?)\/?>|[^<]+|</g;

const BLOCKS: ReadonlySet<string> = new Set(
  words(
    "address blockquote center dir div dl fieldset form h1 h2 h3 h4 h5 h6 hr isindex menu noframes noscript ol p pre",
    "table ul dd dt frameset li tbody td tfoot th thead tr",
  ),
);

/** An element without an end tag ends with its parent, a paragraph directly before a block. Unmatched end tags are dropped. Text is decoded. */
function parsed(html: string): Element {
  const root: Element = { tag: "div", attributes: "", children: [] };
  const open: Element[] = [root];
  for (const [piece, slash, name, attributes = ""] of html.matchAll(PIECE)) {
    if (name === undefined) {
      const parent = open.at(-1) ?? root;
      const before = parent.children.at(-1);
      if (typeof before === "string") parent.children[parent.children.length - 1] = before + decoded(piece);
      else parent.children.push(decoded(piece));
    } else if (slash === "/") {
      const place = open.findLastIndex(({ tag }) => tag === name.toLowerCase());
      if (place > 0) open.length = place;
    } else {
      if (BLOCKS.has(name.toLowerCase()) && open.at(-1)?.tag === "p") open.pop();
      const parent = open.at(-1) ?? root;
      const element: Element = { tag: name.toLowerCase(), attributes: written(attributes), children: [] };
      parent.children.push(element);
      if (!isVoid(element.tag)) open.push(element);
    }
  }
  return root;
}

/** One space before each attribute, and double quotes around every value. */
const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const written = (attributes: string): string =>
  [...attributes.matchAll(ATTRIBUTE)]
    .map(([, name = "", double, single, bare]) => ` ${name}="${escaped(decoded(double ?? single ?? bare ?? ""))}"`)
    .join("");
const attributeOf = ({ attributes }: Element, wanted: string): string | undefined => {
  for (const [, name, value = ""] of attributes.matchAll(ATTRIBUTE)) if (name === wanted) return decoded(value);
  return undefined;
};

const NAMED: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
/** Text as it is written between the steps. */
export const escaped = (source: string): string => attribute(source).replace(/'/g, "&#x27;");

/** Text as the answer contains it: quotation marks are escaped only in attributes. */
function serialized(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (!isElement(node)) return text(node).replace(/\u00a0/g, "&nbsp;");
      const attributes = node.attributes
        .replace(/&#x27;/g, "'")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">");
      const start = `<${node.tag}${attributes}>`;
      return isVoid(node.tag) ? start : `${start}${serialized(node.children)}</${node.tag}>`;
    })
    .join("");
}
