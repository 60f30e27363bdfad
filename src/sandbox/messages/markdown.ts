import { emojiCode } from "../../model/emoji-names.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { channelHash, topicHash } from "./links.ts";
import { CHANNEL_WILDCARDS, groupNamed, userNamed } from "./mentions.ts";
import { emptyTopicName } from "./topics.ts";

/**
 * Markdown as the server renders it: paragraphs, lists, quotes, code, spoilers and headings, emphasis, links, mentions of people and groups, channels
 * and emoji. Missing: tables, nested lists, syntax highlighting, formulas, previews, linkifiers.
 */
interface Where {
  readonly state: RealmState;
  readonly server: { readonly url: string };
}

/** Without `where`, names of people and channels stay plain text. */
export function rendered(content: string, where?: Where): string {
  return blocks(content.split("\n"), where).join("\n");
}

// ---- blocks

const FENCE = /^ {0,3}(`{3,}|~{3,}) *\{?\.?([\w+\-./#]*)\}? *(.*)$/;
const HEADING = /^(#{1,6})\s+(\S.*?)\s*#*$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const BULLET = /^ {0,3}[*+-] +/;
const NUMBER = /^ {0,3}\d+\. +/;

function blocks(lines: readonly string[], where: Where | undefined): string[] {
  const html: string[] = [];
  let at = 0;
  /** Takes lines as long as they belong to the block that the first line began. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && (taken.length === 0 || belongs(line)); line = lines[at]) {
      taken.push(line);
      at += 1;
    }
    return taken;
  };
  const list = (tag: string, bullet: RegExp): string => {
    const items: string[] = [];
    for (const line of take((each) => bullet.test(each) || /^ {2,}\S/.test(each)))
      if (bullet.test(line)) items.push(line.replace(bullet, ""));
      else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
    return `<${tag}>\n${items.map((item) => `<li>${inline(item, where)}</li>`).join("\n")}\n</${tag}>`;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (fence !== null) {
      at += 1;
      html.push(fenced(fence, lines.slice(at), where));
      at += fencedLines(fence, lines.slice(at)).length + 1;
    } else if (heading !== null) {
      at += 1;
      html.push(`<h${heading[1]?.length}>${inline(heading[2] ?? "", where)}</h${heading[1]?.length}>`);
    } else if (RULE.test(line)) {
      at += 1;
      html.push("<hr>");
    } else if (QUOTE.test(line)) {
      const quoted = take((each) => each.trim() !== "").map((each) => each.replace(QUOTE, ""));
      html.push(`<blockquote>\n${blocks(quoted, where).join("\n")}\n</blockquote>`);
    } else if (BULLET.test(line)) html.push(list("ul", BULLET));
    else if (NUMBER.test(line)) html.push(list("ol", NUMBER));
    else {
      const isText = (each: string) =>
        each.trim() !== "" && ![FENCE, HEADING, RULE, QUOTE, BULLET, NUMBER].some((other) => other.test(each));
      html.push(`<p>${inline(take(isText).join("\n").trim(), where)}</p>`);
    }
  }
  return html;
}

/** The lines up to the closing fence, or to the end. */
function fencedLines([, marks = ""]: RegExpExecArray, rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((line) => line.trim() === marks);
  return end < 0 ? rest : rest.slice(0, end);
}
function fenced(fence: RegExpExecArray, rest: readonly string[], where: Where | undefined): string {
  const inner = fencedLines(fence, rest);
  const [, , kind = "", header = ""] = fence;
  if (kind === "quote") return `<blockquote>\n${blocks(inner, where).join("\n")}\n</blockquote>`;
  if (kind === "spoiler") {
    const [title, text] = [blocks([header], where), blocks(inner, where)].map((each) => each.join("\n"));
    const hidden = `<div class="spoiler-content" aria-hidden="true">\n${text}\n</div>`;
    return `<div class="spoiler-block"><div class="spoiler-header">\n${title}\n</div>${hidden}</div>`;
  }
  const language = kind === "" || kind === "text" ? "" : ` data-code-language="${attribute(kind)}"`;
  const code = inner.map((line) => `${text(line)}\n`).join("");
  return `<div class="codehilite"${language}><pre><span></span><code>${code}</code></pre></div>`;
}

// ---- inside of blocks

/** The match's groups, and the function that renders the text inside; undefined leaves the text unchanged. */
type Replace = (groups: readonly string[], inner: (source: string) => string, where?: Where) => string | undefined;
const NO_WORD_BEFORE = "(?<![^\\s'\"({[/<])";
const PATTERNS: readonly (readonly [pattern: RegExp, replace: Replace])[] = [
  [/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, ([, , code = ""]) => `<code>${text(code)}</code>`],
  [
    /\[([^[\]]*)\]\(\s*<?([^\s()<>]+)>?\s*\)/g,
    ([, label = "", url = ""], inner, where) => link(url, inner(label), where),
  ],
  [/https?:\/\/[^\s<>"'^`{|}]*[^\s<>"'^`{|}.,:;!?)\]*]/g, ([url = ""], _, where) => link(url, text(url), where)],
  [new RegExp(`${NO_WORD_BEFORE}@(_?)\\*\\*([^*\\n]+)\\*\\*`, "g"), (groups, _, where) => mention(groups, where)],
  [new RegExp(`${NO_WORD_BEFORE}@(_?)\\*([^*\\n]+)\\*(?!\\*)`, "g"), (groups, _, where) => groupMention(groups, where)],
  [
    new RegExp(`${NO_WORD_BEFORE}#\\*\\*([^*>\\n]+)(>[^*\\n]*?)?(@\\d+)?\\*\\*`, "g"),
    (groups, _, where) => channelMention(groups, where),
  ],
  [/:([a-z0-9_+-]+):/g, (groups) => emoji(groups)],
  [/\*\*\*(?!\s)([^*\n]+?)(?<!\s)\*\*\*/g, ([, both = ""], inner) => `<strong><em>${inner(both)}</em></strong>`],
  [/\*\*([^\n]+?)\*\*/g, ([, bold = ""], inner) => `<strong>${inner(bold)}</strong>`],
  [/(?<!~)~~([^~\n]+?)~~(?!~)/g, ([, struck = ""], inner) => `<del>${inner(struck)}</del>`],
  [/\*(?!\s)([^*\n]+)(?<!\s)\*/g, ([, stressed = ""], inner) => `<em>${inner(stressed)}</em>`],
];

/** Applies the patterns in turn. Placeholder characters, which nobody types, protect the output of one pattern from the others. */
function inline(block: string, where: Where | undefined): string {
  const made: string[] = [];
  const pass = (source: string, from: number): string => {
    let rest = source;
    for (const [index, [pattern, replace]] of PATTERNS.entries()) {
      if (index < from) continue;
      rest = rest.replace(pattern, (...found: unknown[]) => {
        const groups = found.slice(
          0,
          found.findIndex((each) => typeof each === "number"),
        );
        const texts = groups.map((each) => (typeof each === "string" ? each : ""));
        const html = replace(texts, (inner) => text(pass(inner, index + 1)), where);
        return html === undefined ? (texts[0] ?? "") : `\ue000${made.push(html) - 1}\ue001`;
      });
    }
    return rest;
  };
  const restored = (html: string): string =>
    html.replace(/\ue000(\d+)\ue001/g, (_, index: string) => restored(made[Number(index)] ?? ""));
  return restored(text(pass(block.replace(/[\ue000\ue001]/g, ""), 0)).replace(/\n/g, "<br>\n"));
}

function link(url: string, label: string, where: Where | undefined): string | undefined {
  const own = where === undefined ? undefined : `${where.server.url}/`;
  const isHere = own !== undefined && url.startsWith(`${own}#`);
  const address = isHere ? url.slice(own.length) : url;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.has(scheme)) return undefined;
  const isWhole = scheme !== undefined || /^[/#?.]/.test(address);
  return `<a href="${attribute(isWhole ? address : `http://${address}`)}">${label === "" ? text(url) : label}</a>`;
}
const SCHEMES = new Set(["http", "https", "mailto", "ftp", "tel"]);

function mention([, silent = "", name = ""]: readonly string[], where: Where | undefined): string | undefined {
  const at = silent === "" ? "@" : "";
  const also = silent === "" ? "" : " silent";
  if (CHANNEL_WILDCARDS.has(name))
    return `<span class="user-mention channel-wildcard-mention${also}" data-user-id="*">${at}${name}</span>`;
  if (name === "topic") return `<span class="topic-mention${also}">${at}topic</span>`;
  const user = where === undefined ? undefined : userNamed(where.state, name);
  if (user === undefined) return undefined;
  return `<span class="user-mention${also}" data-user-id="${user.user_id}">${at}${text(user.full_name)}</span>`;
}
function groupMention([, silent = "", name = ""]: readonly string[], where: Where | undefined): string | undefined {
  const group = where === undefined ? undefined : groupNamed(where.state, name);
  if (group === undefined) return undefined;
  const also = silent === "" ? "" : " silent";
  const shown = `${silent === "" ? "@" : ""}${text(group.name)}`;
  return `<span class="user-group-mention${also}" data-user-group-id="${group.id}">${shown}</span>`;
}
function channelMention([, name = "", topic = "", near = ""]: readonly string[], where?: Where): string | undefined {
  if (where === undefined) return undefined;
  const { state } = where;
  const channel: Channel | undefined = rows(state.channels).find((each) => each.name === name);
  if (channel === undefined) return undefined;
  const shown = `#${text(channel.name)}`;
  const data = `data-stream-id="${channel.stream_id}"`;
  if (topic === "") return `<a class="stream" ${data} href="/${channelHash(channel)}">${shown}</a>`;
  const title = topic === ">" ? `<em>${text(emptyTopicName(state))}</em>` : text(topic.slice(1));
  if (near !== "") {
    const hash = topicHash(channel, topic.slice(1), Number(near.slice(1)));
    return `<a class="message-link" href="/${hash}">${shown} &gt; ${title} @ 💬</a>`;
  }
  return `<a class="stream-topic" ${data} href="/${topicHash(channel, topic.slice(1))}">${shown} &gt; ${title}</a>`;
}
function emoji([, name = ""]: readonly string[]): string | undefined {
  const code = emojiCode(name);
  if (code === undefined) return undefined;
  const words = name.replaceAll("_", " ");
  return `<span aria-label="${words}" class="emoji emoji-${code}" role="img" title="${words}">:${name}:</span>`;
}

/** Text as HTML writes it; in attributes, quotation marks are escaped as well. */
export const text = (source: string): string =>
  source.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
export const attribute = (source: string): string => text(source).replace(/"/g, "&quot;");
