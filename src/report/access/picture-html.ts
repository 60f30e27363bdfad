import type { People } from "../../access/people.ts";
import {
  type ChannelPicture,
  holdersOn,
  isChanged,
  type Mark,
  markOf,
  type Overview,
  type PictureGroup,
  type PictureWay,
  type Sides,
} from "../../access/picture.ts";
import { groupedBy } from "../../model/lazy.ts";
import { count } from "../../model/words.ts";
import * as html from "../html-page.ts";
import { escapeHtml, foreign } from "../html-page.ts";
import { shownName } from "../object-names.ts";
import {
  type Drawn,
  holdersText,
  MARKS,
  movedOn,
  namesOn,
  PICTURES,
  type PictureOf,
  peopleOn,
  privacyOn,
  wayLabel,
} from "./picture-text.ts";
import { PRIVACY_TEXTS } from "./way.ts";

/** The maximum number of channels that one page draws, and of those that are not folded. */
const MOST_CHANNELS = 1000;
const MOST_UNFOLDED = 6;

interface PictureHtmlOptions {
  /** Channel → folder. */
  readonly folders: ReadonlyMap<string, string>;
  readonly of: PictureOf;
  /** Names of channels that are open to all, below the drawn ones. */
  readonly open?: Overview["open"];
}

/**
 * Channels, the groups that open them, and the groups inside these: on a wide screen from left to right, on a phone as a tree. Everything is text and native
 * disclosure, so it works with a keyboard only, without the script, and in a search. Empty if there is nothing to draw.
 */
export function pictureHtml(pictures: readonly ChannelPicture[], drawn: Drawn, options: PictureHtmlOptions): string {
  const { folders, of, open = new Map() } = options;
  if (pictures.length + open.size === 0) return "";
  const shown = pictures.slice(0, MOST_CHANNELS);
  const isOpen = shown.length <= MOST_UNFOLDED;
  const byFolder = groupedBy(shown, ({ name }) => folders.get(name));
  const parts = [...byFolder].map(([folder, own]) => {
    const items = own.map((picture) => channelHtml(picture, drawn, isOpen));
    const list = html.list(items, "tree");
    if (byFolder.size === 1) return list;
    const name = folder === undefined ? "No folder" : foreign(shownName(folder));
    return html.folded(`${name}: ${count(own.length, "channel")}`, list, isOpen, "folder");
  });
  const rest = pictures.length - shown.length;
  const left =
    rest === 0 ? "" : `<p class="left">Not drawn: ${count(rest, "channel")} (access #channel draws each).</p>`;
  const legend = pictures.some(isChanged)
    ? '<p class="key"><span class="widens">+ new</span><span class="narrows">− no longer</span><span class="moves">~ other people</span></p>'
    : "";
  return html.section("picture", PICTURES[of].title, `${legend}${parts.join("\n")}${openHtml(open)}${left}`);
}

function openHtml(open: Overview["open"]): string {
  return [...open]
    .map(([privacy, names]) => {
      const items = names.slice(0, MOST_CHANNELS).map((name) => html.item(foreign(`#${shownName(name)}`)));
      const rest = names.length - items.length;
      const more = rest === 0 ? "" : `<p class="left">and ${count(rest, "more channel")}</p>`;
      const summary = `${escapeHtml(capitalized(PRIVACY_TEXTS[privacy]))} (${count(names.length, "channel")})`;
      return html.folded(summary, `${html.list(items, "names")}${more}`, false, "folder");
    })
    .join("\n");
}

const capitalized = (text: string): string => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

const TONE = { same: "", added: "widens", removed: "narrows", changed: "moves" } as const satisfies Record<
  Mark,
  string
>;

function channelHtml(picture: ChannelPicture, drawn: Drawn, isOpen: boolean): string {
  const mark = markOf(holdersOn(picture));
  const moved = movedOn(picture, drawn).map((line) => `<br>${foreign(line)}`);
  const summary = `<span class="node ${TONE[mark]}"><b>${foreign(`#${shownName(picture.name)}`)}</b> <br>${escapeHtml(holdersText(picture, drawn))}&emsp;${moved.join("")}<br><span class="dim">${escapeHtml(privacyOn(picture, drawn))}</span></span>`;
  const left =
    picture.left === 0 ? [] : [`<li><span class="node">and ${count(picture.left, "more group")}</span></li>`];
  const ways = [...picture.ways.map((way) => wayHtml(way, drawn)), ...left];
  return html.item(html.folded(summary, ways.length === 0 ? "" : html.list(ways), isOpen));
}

function wayHtml(way: PictureWay, drawn: Drawn): string {
  const isStep = way.coming.before !== undefined || way.coming.after !== undefined;
  const named = way.groups.length === 0 ? [] : [namedHtml(way.named, drawn)].filter((item) => item !== "");
  const inner = [...way.groups.map((group) => groupHtml(group, drawn)), ...named];
  return nodeHtml(wayLabel(way), way.people, drawn, inner, isStep ? "way step" : "way");
}

const namedHtml = (named: Sides<People>, drawn: Drawn): string =>
  named.before === undefined && named.after === undefined ? "" : nodeHtml("by name", named, drawn, [], "way");

function groupHtml({ name, people, inner, isDrawn }: PictureGroup, drawn: Drawn): string {
  const above = isDrawn && !name.startsWith("role:") ? ["what is inside it stands above"] : [];
  const groups = inner.map((group) => groupHtml(group, drawn));
  return nodeHtml(shownName(name), people, drawn, groups, "group", above);
}

function nodeHtml(
  label: string,
  people: Sides<People>,
  drawn: Drawn,
  inner: readonly string[],
  style: string,
  notes: readonly string[] = [],
): string {
  const mark = markOf(people);
  const below = [...namesOn(people, drawn), ...notes].map((line) => `<br><span class="dim">${foreign(line)}</span>`);
  const node = `<span class="node ${style} ${TONE[mark]}"><b>${MARKS[mark]}${foreign(label)}</b><br>${escapeHtml(peopleOn(people, drawn))}${below.join("")}</span>`;
  return `<li>${node}${inner.length === 0 ? "" : html.list(inner)}</li>`;
}
