const OUR_TAGS = /^<\/?(?:code|span|details|summary|sub|br|pre|a)(?: href="https:\/\/[^"<>\s]*")?>$/;

/** What GitHub would do with a text besides showing it; empty if it only shows it. */
export function alive(markdown: string): readonly string[] {
  const found: string[] = [];
  for (const tag of markdown.match(/<[^>]*>?/g) ?? []) if (!OUR_TAGS.test(tag)) found.push(`tag ${tag}`);
  // GitHub makes no mentions, references or emoji from text in code or pre.
  const outside = markdown.replace(/<(code|pre)>(?:[^<]|<\/?span>)*<\/\1>/g, "").replace(/<[^>]*>/g, "");
  const read = decoded(outside);
  for (const pattern of [/@\w/, /#\d/, /\bGH-\d/i, /:\/\//, /www\./i, /\b[0-9a-f]{40}\b/, /\b[A-Z]+-\d/])
    if (pattern.test(read)) found.push(`reference ${pattern}`);
  // Addresses are searched for in each text between two tags, even in code, after entities have become characters (cmark-gfm, autolink.c).
  for (const text of markdown.replace(/<pre>[^<]*<\/pre>/g, "").split(/<[^>]*>/))
    if (/[\w.+-]@[\w-]+[.]\w/.test(decoded(text))) found.push(`mail link ${text.slice(0, 80)}`);
  // Only the characters themselves make structure, wherever they are: entities make none.
  const inside = [...markdown.matchAll(/<code>((?:[^<]|<\/?span>)*)<\/code>/g)].map(([, text]) => text ?? "").join(" ");
  if (/[`*_[\]|~@\\:$!]|www\./i.test(inside)) found.push("markdown inside of code");
  if (/[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(markdown.replaceAll("\n", "")))
    found.push("control character");
  return found;
}

const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replace(/&(lt|gt|amp|quot);/g, "");
