/** Elements that only show something; `a` and `img` are looked at one by one. */
const HARMLESS = new Set([
  ...[
    "a",
    "p",
    "pre",
    "code",
    "span",
    "div",
    "details",
    "summary",
    "sub",
    "sup",
    "br",
    "hr",
    "ul",
    "ol",
    "li",
    "strong",
    "em",
    "del",
  ],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "blockquote"],
]);
const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([\w:-]+)\s*(?:=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/** What a page of the forge would do besides showing text, if it had this part: links, pictures, mentions, references, forms, scripts. */
export function active(html: string): readonly string[] {
  const found: string[] = [];
  for (const [tag, end, name = "", rest = ""] of html.matchAll(TAG)) {
    if (!HARMLESS.has(name.toLowerCase())) found.push(tag);
    if (end === "/") continue;
    for (const [, attribute = "", value = ""] of rest.matchAll(ATTRIBUTE)) {
      const text = value.replace(/^["']|["']$/g, "");
      const isQuiet =
        ["dir", "id", "align"].includes(attribute) ||
        (attribute === "class" && !/\b(mention|ref-issue|commit|emoji)\b/.test(text)) ||
        (attribute === "href" && /^#/.test(text)) ||
        // A swatch beside a code span that looks like a colour: #122.
        (attribute === "style" && /^background-color: #[0-9a-f]{3,8}$/i.test(text));
      if (!isQuiet) found.push(tag);
    }
  }
  return [...new Set(found)];
}

/** The text that a page shows of this part. */
export function shownText(html: string): string {
  const named: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"' };
  return html
    .replace(TAG, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) =>
      code === undefined ? (named[name] ?? entity) : String.fromCodePoint(Number(code)),
    );
}
