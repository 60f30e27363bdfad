import MarkdownIt from "markdown-it";

// As forges do: elements of the text are kept, addresses become links, and a link may lead anywhere (what they refuse is not relied upon).
const forge = new MarkdownIt({ html: true, linkify: true });
forge.validateLink = () => true;

/** The HTML that a forge makes of a comment before it searches for mentions and references. */
export const pageOf = (markdown) => forge.render(markdown);

/** What our comments are made of. */
const OURS =
  /^<\/?(?:p|ul|li|strong|em|code|pre|details|summary|h3|table|thead|tbody|tr|th|td)>$|^<code class="language-(?:diff|text)">$/;
const COMMENT = /^<!-- realmctl:(?:plan|apply|drift|adopt|digest|state):[\w+/=]+ -->$/;
const LINK = /^<a href="(https:\/\/[^"<>\s]*)">$/;
const PARTS = /<!--[\s\S]*?-->|<[^>]*>?|[^<]+/g;

/** Texts outside of code that GitHub, GitLab, Forgejo or Gitea make something else of than text. */
const REFERENCES = [
  ["mention", /(?:^|[^\w])@\w/],
  ["mail link", /[\w.+-]@[\w-]+[.]\w/],
  ["reference", /(?:^|[^\w])[#!%~$&^][\w"]|[#!]\d/],
  ["reference", /\bGH-\d|\b[A-Z][A-Z\d]*-\d/],
  ["link", /:\/\/|www\./i],
  ["commit", /\b[0-9a-f]{7,64}\b/],
  ["emoji", /:[\w+-]+:/],
  ["mathematics", /\$/],
  ["difference", /[{[][-+]|[-+][}\]]/],
  ["command", /^\s*\/\w/m],
  ["element", />/],
];

const decoded = (html) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", "›").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/**
 * What a page does besides showing text; empty if it does nothing else.
 * @param links where our own links may lead
 */
export function effectsOf(html, links = /^https:\/\/github\.example\//) {
  const found = [];
  let shown = 0;
  for (const [part] of html.matchAll(PARTS)) {
    if (/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(part.replaceAll("\n", "")))
      found.push("control character");
    if (!part.startsWith("<")) {
      if (shown > 0) continue;
      const text = decoded(part);
      for (const [what, pattern] of REFERENCES) if (pattern.test(text)) found.push(`${what} ${text.slice(0, 100)}`);
      continue;
    }
    if (part.startsWith("<!--") ? COMMENT.test(part) : OURS.test(part) || part === "</a>") {
      if (/^<(?:code|pre)\b/.test(part)) shown += 1;
      if (/^<\/(?:code|pre)>/.test(part)) shown -= 1;
    } else if (!links.test(LINK.exec(part)?.[1] ?? "")) found.push(`element ${part}`);
  }
  if (shown !== 0) found.push("code that does not end");
  return found;
}

/** The elements of a page, without the words that are marked as code. */
export const shapeOf = (html) =>
  [...html.replaceAll(/<pre>[\s\S]*?<\/pre>/g, "<pre>").matchAll(PARTS)]
    .map(([part]) => part)
    .filter((part) => part.startsWith("<") && !/^<\/?code>$/.test(part))
    .map((part) => part.replace(/ href="[^"]*"/, ""))
    .join("");

/** The texts of a page that are marked as code, as a reader sees them. */
export const codeIn = (html) =>
  [...html.matchAll(/<code[^>]*>([^<]*)<\/code>/g)].map(([, text]) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
