import { createHash } from "node:crypto";
import { type Change, type Guard, type Plan, type Unmanaged, violatedGuards } from "../model/plan.ts";
import { count, grouped } from "../model/words.ts";
import type { Entry } from "./entries.ts";
import { wayThrough } from "./guards.ts";
import { CSS, SCRIPT } from "./html-assets.ts";
import { escapeHtml, foreign, placeHtml } from "./html-text.ts";
import { counted, headingOf, momentText, sandboxText } from "./layout.ts";
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

/** A violated guard, and how to allow it. */
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

/** A section for each kind. */
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
