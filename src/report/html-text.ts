import type { Span } from "../model/diagnostic.ts";
import type { Guard } from "../model/plan.ts";
import { wayThrough } from "./guards.ts";
import { placeText } from "./layout.ts";
import { clean } from "./style.ts";
import { guardText } from "./words/guards.ts";

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

/** A violated guard, and how to allow it. */
export function guardHtml(guard: Omit<Guard, "violated">): string {
  const way = wayThrough(guard);
  const how = way === "" ? "" : `<br><span class="dim">${foreign(way)}</span>`;
  return `<li data-item>✋ ${foreign(guardText(guard))}${placeHtml(guard.at)}${how}</li>`;
}
