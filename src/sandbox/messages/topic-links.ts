import type { Json } from "../../model/json.ts";
import type { RealmState } from "../state.ts";

/** The characters allowed before and after a linkifier's match. */
const BEFORE = `(?<before_>^|\\s|['"(,:<])`;
const AFTER = "(?<after_>$|[^\\p{L}\\p{N}])";
const ADDRESS = /https?:\/\/[^\s<>"'()]*[^\s<>"'().,:;!?]/g;

interface Link {
  readonly text: string;
  readonly url: string;
  readonly at: number;
}

/** Links in a topic: linkifier matches and URLs. If two overlap, the linkifier's takes precedence, otherwise the earlier one. */
export function topicLinks(state: RealmState, topic: string): Json {
  const links: Link[] = [];
  for (const linkifier of Object.values(state.linkifiers))
    for (const found of foundBy(linkifier, topic)) if (!links.some((other) => overlap(other, found))) links.push(found);
  for (const { 0: text, index: at } of topic.matchAll(ADDRESS)) {
    const found = { text, url: text, at };
    if (!links.some((other) => overlap(other, found))) links.push(found);
  }
  return links.sort((a, b) => a.at - b.at).map(({ text, url }) => ({ text, url }));
}
const overlap = (a: Link, b: Link): boolean => a.at < b.at + b.text.length && b.at < a.at + a.text.length;

function foundBy(linkifier: { readonly pattern: string; readonly url_template: string }, topic: string): Link[] {
  const pattern = asRegExp(`${BEFORE}(?<outer_>${linkifier.pattern})${AFTER}`);
  const links: Link[] = [];
  if (pattern === undefined) return links;
  for (let match = pattern.exec(topic); match !== null; match = pattern.exec(topic)) {
    const groups = match.groups ?? {};
    const { before_ = "", outer_ = "", after_ = "" } = groups;
    if (outer_ === "") break;
    links.push({ text: outer_, url: expanded(linkifier.url_template, groups), at: match.index + before_.length });
    // The character after one match can be the one before the next.
    pattern.lastIndex -= after_.length;
  }
  return links;
}
function expanded(template: string, groups: { readonly [name: string]: string | undefined }): string {
  return template.replace(/\{([+#./;?&]?)(\w+)\}/g, (_, operator: string, name: string) => {
    const value = groups[name] ?? "";
    return operator === "+" || operator === "#" ? encodeURI(value) : encodeURIComponent(value);
  });
}
function asRegExp(re2: string): RegExp | undefined {
  try {
    return new RegExp(re2.replaceAll("(?P<", "(?<"), "gu");
  } catch {
    return undefined;
  }
}
