import { clean } from "../model/clean.ts";
import type { Span } from "../model/diagnostic.ts";
import { placeText } from "./layout.ts";

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
