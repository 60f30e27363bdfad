import { createHash } from "node:crypto";
import { clean } from "../model/clean.ts";
import type { Span } from "../model/diagnostic.ts";
import { type Change, type Guard, type Plan, type Unmanaged, violatedGuards } from "../model/plan.ts";
import { count, grouped } from "../model/words.ts";
import type { Entry } from "./entries.ts";
import { wayThrough } from "./guards.ts";
import { counted, headingOf, momentText, placeText, sandboxText } from "./layout.ts";
import { leftAsideText } from "./object-names.ts";
import { PLAIN, shorten } from "./style.ts";
import type { SaidDiagnostic } from "./words/diagnostics.ts";
import { guardText } from "./words/guards.ts";
import { partialParts } from "./words/rehearsal.ts";
import { unseenText } from "./words/unseen.ts";

/**
 * The frame of every page: only its own style and script may run, and no request may leave it.
 * @param header the content above the links to the sections
 */
export function page(title: string, header: string, sections: readonly string[]): string {
  const parts = [header, linksHtml(sections), searchHtml(), ...sections];
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(CSS)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${CSS}</style>
</head>
<body>
${parts.filter((part) => part !== "").join("\n")}
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** More links would fill a phone before the page begins. */
const MOST_LINKS = 10;

/** Links to each section with an id, since the last one is far away on a phone. */
function linksHtml(sections: readonly string[]): string {
  const heads = [...sections.join("\n").matchAll(/<section id="([\w-]+)" data-group[^>]*><h2>([^<]*)<\/h2>/g)];
  if (heads.length < 2) return "";
  const links = heads.map(([, id, text]) => `<a href="#${id}">${text}</a>`).join(" ");
  const list =
    heads.length > MOST_LINKS
      ? `<details><summary>On this page: ${heads.length} parts</summary>${links}</details>`
      : links;
  return `<nav aria-label="On this page">${list}</nav>`;
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function searchHtml(): string {
  return `<div class="search" id="search" role="search" hidden><input id="query" type="search" placeholder="Search: a name, a setting, a value" aria-label="Search this page" autocomplete="off" spellcheck="false"><span id="found" class="dim" aria-live="polite"></span></div>`;
}

/** Above the sections: what the page is about. */
export function header(title: string, facts: readonly string[], below = ""): string {
  return `<header><h1>${foreign(title)}</h1><p class="dim">${facts.join(" · ")}</p>${below}</header>`;
}

export const verdict = (html: string): string => `<p class="verdict">${html}</p>`;

/** The organization that was read, and when. @param as the account, where it matters */
export const readFacts = ({ realm, server, snapshot_taken_at }: Plan, ...as: readonly string[]): readonly string[] => [
  ...(realm.sandbox_of === undefined ? [] : [foreign(sandboxText(realm))]),
  ...as,
  `level ${server.feature_level}`,
  `read ${escapeHtml(momentText(snapshot_taken_at))}`,
];

/** The parts that were left out, for readers who assume that the page is complete. */
export function partial(plan: Pick<Plan, "account" | "extra">): string {
  const { partial, unseen } = plan.extra ?? {};
  const parts = partial === undefined ? "" : partialParts(partial).map(foreign).join(" · ");
  return [
    parts === "" ? "" : `<p id="partial"><strong>Partial:</strong> ${parts}</p>`,
    unseen === undefined ? "" : `<p id="unseen"><strong>Not seen:</strong> ${foreign(unseenText(plan))}</p>`,
  ].join("");
}

export const footer = ({ tool_version }: Plan, ...parts: readonly string[]): string =>
  `<footer>${parts.join("")}<p>Made by realmctl ${escapeHtml(tool_version)}. This page makes no requests.</p></footer>`;

/** A part of the page to which its top links. @param style its class */
export const section = (id: string, heading: string, content: string, style = ""): string =>
  `<section id="${id}" data-group${classHtml(style)}><h2>${heading}</h2>${content}</section>`;

/** The same with a list; empty without items. */
export const listSection = (id: string, heading: string, items: readonly string[], rest = "", style = ""): string =>
  items.length === 0 ? "" : section(id, heading, `${list(items)}${rest}`, style);

export const list = (items: readonly string[], style = ""): string => `<ul${classHtml(style)}>${items.join("\n")}</ul>`;

export const folded = (summary: string, content: string, isOpen = false, style = ""): string =>
  `<details${classHtml(style)}${isOpen ? " open" : ""}><summary>${summary}</summary>${content}</details>`;

export const item = (html: string, style = ""): string => `<li data-item${classHtml(style)}>${html}</li>`;

export const dim = (html: string): string => ` <span class="dim">${html}</span>`;

const classHtml = (style: string): string => (style === "" ? "" : ` class="${style}"`);

/** The lines of a value beside the name of its field. */
export function value(field: string, lines: readonly string[], all: boolean): string {
  const spans = lines.map((line) => {
    const text = all ? line : shorten(PLAIN, line, 2000);
    const tone = text.startsWith("+ ") ? "plus" : text.startsWith("- ") ? "minus" : "";
    return `<span${classHtml(tone)}>${foreign(text)}</span>`;
  });
  return `<dt>${foreign(field)}</dt><dd>${spans.join("")}</dd>`;
}

/** An object that a plan or a drift has: its sign, its name, and what else there is to say. */
export function change(tone: string, sign: string, content: string, mark = ""): string {
  return item(`${mark}<span class="sign">${sign}</span> ${content}`, tone);
}

/** The values of an object; empty without any. */
export const fields = (rows: readonly string[]): string => (rows.length === 0 ? "" : `<dl>${rows.join("")}</dl>`);

/** The class of a list. Only very long lists are laid out as they come into view, since links to later parts of the page then miss their targets. */
const itemsClass = (number: number): string => (number > 1000 ? "items many" : "items");

/** The number of items that are left out, and where to find them. */
export function left(number: number, what: string, elsewhere: string): string {
  return number <= 0 ? "" : `<p class="left">Not on this page: ${count(number, what)} (${escapeHtml(elsewhere)}).</p>`;
}

/** The objects that the file does not mention. */
export function unmanaged(unmanaged: readonly Unmanaged[], elsewhere: string): string {
  const parts = unmanaged
    .filter(({ names, policy }) => names.length > 0 && policy !== "absent")
    .map((one) => {
      const { section: name, names, policy } = one;
      const title = policy === "except" ? leftAsideText(one) : `${counted(name, names.length)} (${policy}: left alone)`;
      const shown = names.slice(0, 5000).map((each) => item(foreign(each)));
      const rest = left(names.length - shown.length, "more name", elsewhere);
      return folded(escapeHtml(title), `${list(shown, "names")}${rest}`);
    });
  return parts.length === 0 ? "" : section("unmanaged", "Not managed", parts.join("\n"));
}

export function guardHtml(guard: Omit<Guard, "violated">): string {
  const way = wayThrough(guard);
  const how = way === "" ? "" : `<br><span class="dim">${foreign(way)}</span>`;
  return item(`✋ ${foreign(guardText(guard))}${placeHtml(guard.at)}${how}`);
}

export const guards = (plan: Plan, heading: string): string =>
  listSection("guards", heading, violatedGuards(plan).map(guardHtml), "", "hit");

/** A finding with its advice. */
export function finding({ message, hint, at }: SaidDiagnostic, mark = ""): string {
  return item(`${mark}${foreign(message)}${hint === undefined ? "" : dim(foreign(hint))}${placeHtml(at)}`);
}

/** What a page shows of the objects of each kind. */
interface KindOptions {
  /** The maximum number of entries that are shown whole, and of changes behind them that have only their names. */
  readonly whole: number;
  readonly named: number;
  readonly entry: (entry: Entry) => string;
  readonly name: (change: Change) => string;
  /** The noun of what is not whole, and where its values and all the others are. */
  readonly what: string;
  readonly values: string;
  readonly elsewhere: string;
}

export function kindSections(
  changes: readonly Change[],
  entriesOf: (own: readonly Change[]) => readonly Entry[],
  { whole: mostWhole, named: mostNamed, entry, name, what, values, elsewhere }: KindOptions,
): readonly string[] {
  let [wholeLeft, namedLeft] = [mostWhole, mostNamed];
  return [...new Set(changes.map(({ kind }) => kind))].map((kind, index) => {
    const own = changes.filter((change) => change.kind === kind);
    const entries = entriesOf(own);
    // Some entries of every kind are shown, even if previous kinds have many.
    const whole = entries.slice(0, Math.max(wholeLeft, 20));
    const others = entries.slice(whole.length).flatMap((one) => one.changes);
    const named = others.slice(0, Math.max(namedLeft, 0));
    wholeLeft -= whole.length;
    namedLeft -= named.length;
    const summary = `${count(named.length, what)}, names only (${escapeHtml(values)})`;
    const parts = [
      list(whole.map(entry), itemsClass(whole.length)),
      named.length === 0 ? "" : folded(summary, list(named.map(name), "items short")),
      left(others.length - named.length, what, elsewhere),
    ];
    const heading = `${escapeHtml(headingOf(kind, own))}: ${grouped(own.length)}`;
    return section(`kind-${index}`, heading, `\n${parts.join("\n")}\n`);
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "=": "&#61;",
};

/** Foreign text for an element or a quoted attribute: active characters become entities, and invisible or reordering ones are written out. */
export function escapeHtml(text: string): string {
  return clean(text).replace(/[&<>"'`=]/g, (character) => ENTITIES[character] ?? "");
}

/** A name or value from the server or a file, isolated from the direction of the text around it. */
export function foreign(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** ` realm.yaml:40`, or nothing. */
export function placeHtml(at: Span | undefined): string {
  return at === undefined ? "" : ` <span class="at">${foreign(placeText(at))}</span>`;
}

/** The style of pages: the system's font and colours, a dark variant, one column on a phone. */
const CSS = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--dim:#5b6470;--line:#d9dee4;--card:#f6f8fa;--add:#116329;--addbg:#dafbe1;--del:#a40e26;--delbg:#ffebe9;--chg:#7d4e00;--chgbg:#fff8c5;--risk:#a40e26;--newbg:#ddf0ff;--backbg:#efe6ff}
@media (prefers-color-scheme:dark){:root{--bg:#0e1116;--fg:#e6e9ed;--dim:#9aa4b0;--line:#2f3742;--card:#171c23;--add:#5fd17c;--addbg:#12301b;--del:#ff8f85;--delbg:#3a1618;--chg:#e9bf55;--chgbg:#332a0d;--risk:#ff8f85;--newbg:#10283f;--backbg:#2b2145}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;margin:.2rem 0}
h2{font-size:1.1rem;margin:1.6rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
section{scroll-margin-top:4rem}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.4rem 0}
a{color:inherit}
p{margin:.4rem 0}
.dim,.at{color:var(--dim)}
.at{font-size:.85em;white-space:nowrap}
.risk,.hit{color:var(--risk)}
.verdict{font-size:1.1rem}
ul{list-style:none;margin:0;padding:0}
li{margin:.25rem 0}
section>ul:not(.items)>li{padding-left:1.6em;text-indent:-1.6em}
.items>li{border:1px solid var(--line);border-radius:.4rem;background:var(--card);padding:.4rem .6rem;margin:.4rem 0}
.many>li{content-visibility:auto;contain-intrinsic-size:auto 6rem}
.items.short>li{border:0;background:none;padding:0;margin:.1rem 0;content-visibility:auto;contain-intrinsic-size:auto 1.5rem}
.sign{display:inline-block;text-indent:0;min-width:1.1em;text-align:center;font-family:ui-monospace,monospace;font-weight:700}
.create .sign,.plus{color:var(--add)}.remove .sign,.minus{color:var(--del)}.update .sign,.reorder .sign{color:var(--chg)}
dl{display:grid;grid-template-columns:minmax(9rem,auto) 1fr;gap:.1rem .8rem;margin:.3rem 0 0 1.1em}
dt{color:var(--dim)}
dd{margin:0;min-width:0}
dt,dd,td{font-family:ui-monospace,monospace;font-size:.85rem}
dd span{display:block;white-space:pre-wrap}
details>summary{cursor:pointer}
.names{margin:.2rem 0 0 1.1em}
.search{position:sticky;top:0;background:var(--bg);padding:.5rem 0;z-index:3;display:flex;gap:.6rem;align-items:center;flex-wrap:wrap}
#found:empty{display:none}
.search[hidden]{display:none}
input{font:inherit;padding:.4rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:var(--fg);flex:1 1 14rem;min-width:0}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
table{border-collapse:separate;border-spacing:0;min-width:100%;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-bottom:1px solid var(--line);border-right:1px solid var(--line)}
thead th{vertical-align:bottom;font-size:.8rem;font-weight:600;max-width:9rem;overflow-wrap:break-word}
tbody th{position:sticky;left:0;background:var(--bg);max-width:12rem;min-width:7rem;overflow-wrap:break-word;z-index:1}
td{max-width:16rem;min-width:6rem;overflow-wrap:break-word}
td b{display:block;font-family:system-ui,sans-serif;font-weight:600}
.widens{background:var(--delbg)}.narrows{background:var(--addbg)}.new{background:var(--newbg)}.reopened{background:var(--backbg)}.moves,.reworded,.unknown{background:var(--chgbg)}
.key span{padding:.05rem .4rem;border-radius:.3rem;margin-right:.4rem;white-space:nowrap}
del{color:var(--del);text-decoration:line-through}
ins{color:inherit;text-decoration:none}
footer{margin:2rem 0 1rem;color:var(--dim);font-size:.9rem}
[hidden]{display:none!important}
.tree,.tree ul{list-style:none;margin:0;padding:0;text-indent:0}
.tree li{position:relative;margin:0;padding:.2rem 0 .2rem 1rem}
section>ul.tree>li{padding-left:0;text-indent:0}
.tree li li::before,.tree li li::after{content:"";position:absolute;left:0;border-color:var(--dim);border-style:solid;border-width:0}
.tree li li::before{top:1.1rem;width:1rem;border-top-width:1px}
.tree li li::after{top:0;bottom:0;border-left-width:1px}
.tree li li:last-child::after{bottom:auto;height:1.1rem}
.tree ul{margin-left:.7rem}
.node{display:inline-block;border:1px solid var(--line);border-radius:.4rem;background:var(--card);padding:.15rem .5rem;font-size:.9rem;vertical-align:middle;max-width:100%}
.way{border-style:dashed;border-radius:1rem}.step{border-style:dotted}
.node.widens{background:var(--delbg)}.node.narrows{background:var(--addbg)}.node.moves{background:var(--chgbg)}
.folder{margin:.4rem 0}.folder>summary{font-weight:600}
.tree summary::marker{color:var(--dim)}
.tree details:not([open])>summary br{display:none}
@media (min-width:56rem){.tree li li,.tree details[open]{display:flex;align-items:center}.tree details[open]>summary{flex:none;max-width:18rem}.tree .node{max-width:18rem}.tree details[open]::details-content{display:contents}.tree ul ul,.tree details>ul{margin-left:0;padding-left:1rem;position:relative}.tree ul ul::before,.tree details>ul::before{content:"";position:absolute;left:0;top:50%;width:1rem;border-top:1px solid var(--dim)}.tree li li::before{top:50%}.tree li li:first-child::after{top:50%}.tree li li:last-child::after{bottom:50%;height:auto}.tree li li:only-child::after{display:none}}
@media (max-width:40rem){body{padding:.7rem}dl{grid-template-columns:1fr;margin-left:.4rem}dt{margin-top:.2rem}.scroll{overflow-x:visible;border:0}table,tbody{display:block}thead{display:none}tbody tr{display:flex;flex-direction:column;border:1px solid var(--line);border-radius:.4rem;padding:.4rem .5rem;margin:.4rem 0}tbody th{position:static;max-width:none;min-width:0;border:0;padding:0 0 .2rem;background:none;font-size:1rem}td{display:grid;grid-template-columns:40% minmax(0,1fr);gap:0 .5rem;border:0;border-radius:.3rem;max-width:none;min-width:0;margin:.1rem 0;padding:.15rem .3rem}td::before{content:attr(data-right);color:var(--dim);font-family:system-ui,sans-serif}td.same{order:1}td.none{display:none}.key{display:flex;flex-wrap:wrap;gap:.3rem}.key span{margin:0;white-space:normal}}
@media print{.search,nav{display:none}.items>li{content-visibility:visible}}
`;

/**
 * The script of the search; everything else works without it. It hides entries without all of the typed words, and opens folded lists with a match.
 */
const SCRIPT = `
(() => {
  "use strict";
  const bar = document.getElementById("search");
  const box = document.getElementById("query");
  const found = document.getElementById("found");
  const items = Array.from(document.querySelectorAll("[data-item]"), (node) => ({ node, text: node.textContent.toLowerCase() }));
  const groups = Array.from(document.querySelectorAll("[data-group]"), (node) => ({ node, own: Array.from(node.querySelectorAll("[data-item]")) }));
  const opened = new Set();
  const search = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    let hits = 0;
    for (const { node, text } of items) {
      const isHit = words.every((word) => text.includes(word));
      hits += isHit ? 1 : 0;
      if (node.hidden === isHit) node.hidden = !isHit;
    }
    for (const { node, own } of groups) {
      const isEmpty = words.length > 0 && own.every((item) => item.hidden);
      if (node.hidden !== isEmpty) node.hidden = isEmpty;
    }
    for (const fold of opened) fold.open = false;
    opened.clear();
    if (words.length > 0 && hits <= 200) {
      for (const { node } of items) {
        if (node.hidden) continue;
        const folds = [...node.querySelectorAll("details"), node.closest("details")];
        for (const fold of folds) if (fold !== null && !fold.open) { fold.open = true; opened.add(fold); }
      }
    }
    found.textContent = words.length === 0 ? "" : hits + " of " + items.length + " found";
  };
  box.addEventListener("input", search);
  bar.hidden = false;
  if (box.value !== "") search();
})();
`;
