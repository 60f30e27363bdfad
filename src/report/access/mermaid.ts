import type { People } from "../../access/people.ts";
import {
  bothSides,
  type ChannelPicture,
  holdersOn,
  type Mark,
  markOf,
  type PictureGroup,
  type Sides,
} from "../../access/picture.ts";
import { clean } from "../../model/clean.ts";
import { groupedBy } from "../../model/lazy.ts";
import { count } from "../../model/words.ts";
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

/*
 * A picture as a fenced Mermaid diagram, which GitHub, GitLab, Forgejo and wikis draw. These refuse diagrams of more than 500 edges or 50,000 characters,
 * so channels with the same ways share a node, and what does not fit is counted.
 */

/** The most of each that one diagram has: below the limits of Mermaid itself. */
const MOST_CHANNELS = 60;
const MOST_EDGES = 300;
const MOST_CHARACTERS = 40_000;
/** The maximum number of names in the node of channels that have the same ways. */
const MOST_NAMES = 6;

const CLASSES = {
  added: "fill:#ffebe9,stroke:#a40e26,color:#1c2024",
  removed: "fill:#dafbe1,stroke:#116329,color:#1c2024,stroke-dasharray:4 3",
  changed: "fill:#fff8c5,stroke:#7d4e00,color:#1c2024",
} as const satisfies Record<Exclude<Mark, "same">, string>;

const ARROWS = { same: "-->", changed: "-->", added: "==>", removed: "-.->" } as const satisfies Record<Mark, string>;

interface Diagram {
  readonly drawn: Drawn;
  /** Text of a node or edge → its id. */
  readonly groups: Map<string, string>;
  readonly lines: string[];
  readonly edges: Set<string>;
  characters: number;
}

/** The pictures as one diagram from people to channels, in a fence. @param of what it says if there is none */
export function mermaidOf(pictures: readonly ChannelPicture[], drawn: Drawn, of: PictureOf = "organization"): string {
  const diagram: Diagram = { drawn, groups: new Map(), lines: [], edges: new Set(), characters: 0 };
  const shapes = [...groupedBy(pictures, (picture) => shapeOf(picture, drawn)).values()];
  let shown = 0;
  for (const [index, own] of shapes.entries()) {
    if (index >= MOST_CHANNELS || diagram.edges.size >= MOST_EDGES || diagram.characters >= MOST_CHARACTERS) break;
    channelNode(own, `c${index}`, diagram);
    shown += own.length;
  }
  const left = pictures.length - shown;
  return [
    "```mermaid",
    "flowchart LR",
    ...diagram.lines,
    ...(left === 0 ? [] : [`  left["${label(`and ${count(left, "more channel")}: not drawn`)}"]`]),
    ...(pictures.length === 0 ? [`  none["${label(PICTURES[of].none)}"]`] : []),
    ...Object.entries(CLASSES).map(([name, style]) => `  classDef ${name} ${style}`),
    "```",
    "",
  ].join("\n");
}

/** Channels with the same shape differ in their names only. */
function shapeOf(picture: ChannelPicture, drawn: Drawn): string {
  const ways = picture.ways.map((way) => [
    wayLabel(way),
    markOf(way.people),
    peopleOn(way.people, drawn),
    namesOn(way.people, drawn),
    way.groups.map(groupShape),
  ]);
  return JSON.stringify([privacyOn(picture, drawn), holdersText(picture, drawn), ways]);
}

const groupShape = ({ name, people, inner }: PictureGroup): unknown => [name, markOf(people), inner.map(groupShape)];

function channelNode(own: readonly ChannelPicture[], id: string, diagram: Diagram): void {
  const [first] = own;
  if (first === undefined) return;
  const { drawn } = diagram;
  const names = own.slice(0, MOST_NAMES).map(({ name }) => `#${shownName(name)}`);
  const more = own.length > names.length ? [`and ${count(own.length - names.length, "more channel")}`] : [];
  add(
    diagram,
    node(
      id,
      [...names, ...more, holdersText(first, drawn), ...movedOn(first, drawn), privacyOn(first, drawn)],
      markOf(holdersOn(first)),
    ),
  );
  for (const [index, way] of first.ways.entries()) {
    const text = wayLabel(way);
    for (const group of way.groups) edge(diagram, groupNode(group, diagram), id, group.people, text);
    // Without groups, the people themselves are where the way begins.
    const people = way.groups.length === 0 ? way.people : way.named;
    if (people.before === undefined && people.after === undefined) continue;
    const mark = markOf(people);
    const from = `${id}w${index}`;
    const lines = [`${MARKS[mark]}${peopleOn(people, drawn)}`, ...namesOn(people, drawn)];
    add(diagram, node(from, lines, mark, true));
    edge(diagram, from, id, people, text);
  }
}

/** A group stands in a diagram once, however many channels it opens: with everybody who is in it, while the edges say what it opens. */
function groupNode({ name, inner }: PictureGroup, diagram: Diagram): string {
  const known = diagram.groups.get(name);
  const id = known ?? `g${diagram.groups.size}`;
  if (known === undefined) {
    diagram.groups.set(name, id);
    const { drawn } = diagram;
    const people = bothSides(drawn, (state) => (state.group(name) === undefined ? undefined : state.membersOf(name)));
    const mark = markOf(people);
    const lines = [`${MARKS[mark]}${shownName(name)}`, peopleOn(people, drawn), ...namesOn(people, drawn)];
    add(diagram, node(id, lines, mark));
  }
  for (const each of inner) edge(diagram, groupNode(each, diagram), id, each.people, "");
  return id;
}

const node = (id: string, lines: readonly string[], mark: Mark, isRound = false): string => {
  const text = lines.map(label).join("<br/>");
  const shape = isRound ? `(["${text}"])` : `["${text}"]`;
  return `  ${id}${shape}${mark === "same" ? "" : `:::${mark}`}`;
};

function edge(diagram: Diagram, from: string, to: string, people: Sides<People>, text: string): void {
  const mark = markOf(people);
  const line = `  ${from} ${ARROWS[mark]}${text === "" ? "" : `|"${label(text)}"|`} ${to}`;
  if (diagram.edges.has(line)) return;
  diagram.edges.add(line);
  add(diagram, line);
}

function add(diagram: Diagram, line: string): void {
  diagram.lines.push(line);
  diagram.characters += line.length + 1;
}

/** Foreign text in a quoted label: whatever Mermaid, Markdown or HTML could read as its own is written as a numeric entity. */
const label = (text: string): string =>
  clean(text).replace(/[^\p{L}\p{M}\p{N} ,:@_→−]/gu, (character) => `#${character.codePointAt(0)};`);
