import { attributeOf, type Element, escaped, isElement, isVoid, parsed } from "./tree.ts";

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
const words = (text: string): Chunk[] =>
  (text.trim() === "" ? [] : (text.match(/\S+(?:\s+|$)/g) ?? [])).map((word) => chunk("word", escaped(word)));

function chunksOf(element: Element): Chunk[] {
  return element.children.flatMap((child, place) => {
    if (!isElement(child)) return words(child);
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

export function tokensOf(html: string): readonly Token[] {
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
export const piecesOf = (tokens: readonly Token[], isEqual = false): string[] =>
  tokens.flatMap(({ before, html, space, after, isHidden }) => [
    ...before,
    ...(isEqual && isHidden ? [] : [html + space]),
    ...after,
  ]);
