/** The HTML that this server renders, as a tree: well-formed, with a few elements that have no end tag. */

export interface Element {
  tag: string;
  attributes: string;
  children: Node[];
}
export type Node = Element | string;

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "wbr",
]);
export const isVoid = (tag: string): boolean => VOID.has(tag);
export const isElement = (node: Node | undefined): node is Element => typeof node === "object";

const PIECE = /<(\/?)([a-zA-Z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*?)\/?>|[^<]+|</g;

export const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address blockquote center dir div dl fieldset form h1 h2 h3 h4 h5 h6 hr isindex menu noframes noscript ol p pre table ul dd dt " +
    "frameset li tbody td tfoot th thead tr"
  ).split(" "),
);

/** An element without an end tag ends with its parent, a paragraph directly before a block. Unmatched end tags are dropped. Text is decoded. */
export function parsed(html: string): Element {
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
export const attributeOf = ({ attributes }: Element, wanted: string): string | undefined => {
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
export const escaped = (text: string): string =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#x27;");

/** Text as the answer contains it: quotation marks are escaped only in attributes. */
export function serialized(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (!isElement(node))
        return node
          .replace(/&/g, "&amp;")
          .replace(/</g, "&lt;")
          .replace(/>/g, "&gt;")
          .replace(/\u00a0/g, "&nbsp;");
      const attributes = node.attributes
        .replace(/&#x27;/g, "'")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">");
      const start = `<${node.tag}${attributes}>`;
      return isVoid(node.tag) ? start : `${start}${serialized(node.children)}</${node.tag}>`;
    })
    .join("");
}
