import { createHash } from "node:crypto";
import type { Unmanaged } from "../model/plan.ts";
import { CSS, SCRIPT } from "./html-assets.ts";
import { escapeHtml, foreign } from "./html-text.ts";
import { counted } from "./layout.ts";
import { leftAsideText } from "./object-names.ts";
import { count } from "./style.ts";

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

/** The class of a list. Only very long lists are laid out as they come into view, since links to later parts of the page then miss their targets. */
export const itemsClass = (number: number): string => (number > 1000 ? "items many" : "items");

/** The number of items that are left out, and where to find them. */
export function left(number: number, what: string, elsewhere: string): string {
  return number <= 0 ? "" : `<p class="left">Not on this page: ${count(number, what)} (${escapeHtml(elsewhere)}).</p>`;
}

/** The objects that the file does not mention. */
export function unmanagedHtml(unmanaged: readonly Unmanaged[], elsewhere: string): string {
  const parts = unmanaged
    .filter(({ names, policy }) => names.length > 0 && policy !== "absent")
    .map((item) => {
      const { section, names, policy } = item;
      const title =
        policy === "except" ? leftAsideText(item) : `${counted(section, names.length)} (${policy}: left alone)`;
      const shown = names.slice(0, 5000);
      const items = shown.map((name) => `<li data-item>${foreign(name)}</li>`);
      return `<details><summary>${escapeHtml(title)}</summary><ul class="names">${items.join("\n")}</ul>${left(names.length - shown.length, "more name", elsewhere)}</details>`;
    });
  return parts.length === 0
    ? ""
    : `<section id="unmanaged" data-group><h2>Not managed</h2>${parts.join("\n")}</section>`;
}
