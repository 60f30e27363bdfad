import type { Coming, Reach } from "../../access/answers.ts";
import type { Standing } from "../../access/grants.ts";
import type { Target } from "../../access/sources.ts";
import { wordOf } from "../../access/words.ts";
import { grouped } from "../../model/words.ts";
import * as html from "../html-page.ts";
import { escapeHtml, foreign } from "../html-page.ts";
import { PLAIN } from "../style.ts";
import { riskText } from "../words/risks.ts";
import { accessPathText, boundText, heldName, personName, sizeText, sourceText, targetName } from "./names.ts";
import { invitedText, laterTexts, perhapsNote, type Shifts, webText } from "./shifts-text.ts";
import { type AnswerContext, comingNotes, comingTexts, hiddenNote } from "./text.ts";

/** The maximum number of names on one page, which a phone can still scroll. */
const MOST_NAMES = 2000;

type HtmlContext = Omit<AnswerContext, "style" | "all">;

/** The section with the picture; empty if there is nothing to draw. */
type Picture = string;

const ELSEWHERE = "--format csv or json has every one";

const header = (title: string, facts: readonly string[], below: string): string =>
  html.header(title, facts.filter((fact) => fact !== "").map(escapeHtml)) + below;

/** Each right on one object: its holders, and why. */
export function objectHtml(
  target: Target,
  standings: readonly Standing[],
  context: HtmlContext,
  picture: Picture,
): string {
  const name = targetName(target);
  const sections = standings.map((standing, index) => standingHtml(target, standing, context, `right-${index}`));
  const notes = comingNotes(target, standings, { ...context, all: false });
  const head = header(`Who may do what: ${name}`, context.basis, notesHtml(notes));
  return html.page(`Access: ${name}`, head, [picture, ...sections]);
}

const notesHtml = (notes: readonly string[]): string => notes.map((note) => `<p>${foreign(note)}</p>`).join("");

/** What stands in a list, and why. */
const reasonedHtml = (name: string, reasons: readonly string[]): string =>
  html.item(`${foreign(name)}${html.dim(foreign(reasons.join("; ")))}`);

function standingHtml(target: Target, standing: Standing, context: HtmlContext, id: string, title?: string): string {
  const { realm, state } = context;
  const { people, bound } = standing.holders;
  const names = [...people].slice(0, MOST_NAMES).map((person) => {
    const giving = standing.grants.filter((grant) => grant.people.has(person));
    return reasonedHtml(
      personName(realm, person),
      giving.map(({ source }) => sourceText(source, target)),
    );
  });
  const head = title ?? wordOf(standing.scope, standing.right);
  const list = html.folded("names", names.length === 0 ? "" : html.list(names, "names"), people.size <= 20);
  const rest = html.left(people.size - names.length, "more name", ELSEWHERE);
  return html.section(
    id,
    `${escapeHtml(head)}: ${boundText(bound)}${escapeHtml(sizeText(state, people))}`,
    `${list}${rest}`,
  );
}

export function personHtml(
  about: { readonly name: string; readonly notes: readonly string[] },
  reaches: readonly Reach[],
  comings: readonly Coming[],
  context: HtmlContext,
  picture: Picture,
): string {
  const sections = reaches.map(({ right, may, mayNot }, index) => {
    const items = may.slice(0, MOST_NAMES).map(({ target, paths }) =>
      reasonedHtml(
        heldName(target),
        paths.map((path) => accessPathText(path, target)),
      ),
    );
    const not = mayNot.slice(0, MOST_NAMES).map((target) => html.item(foreign(targetName(target))));
    const isOfOrganization = right.scope === "organization";
    const no =
      not.length === 0 || isOfOrganization
        ? ""
        : html.folded(`not in ${grouped(mayNot.length)}`, html.list(not, "names"));
    const yes = items.length === 0 ? "" : html.list(items);
    const of = isOfOrganization
      ? may.length > 0
        ? "yes"
        : "no"
      : `${grouped(may.length)} of ${grouped(may.length + mayNot.length)}`;
    const rest = html.left(may.length - items.length, "more object", ELSEWHERE);
    return html.section(`right-${index}`, `${escapeHtml(right.word)}: ${of}`, `${yes}${no}${rest}`);
  });
  const notes = notesHtml([...comingTexts(comings, false), ...hiddenNote(context)]);
  const head = header(`What ${about.name} may do`, [...about.notes, ...context.basis], notes);
  return html.page(`Access: ${about.name}`, head, [picture, ...sections]);
}

/** Who gains and who loses which right. */
export function shiftsHtml(
  { people: shifts, web, invited, perhaps, besides, later }: Shifts,
  before: HtmlContext,
  after: HtmlContext,
  picture: Picture,
): string {
  const sections = shifts.flatMap(({ target, right, gained, lost }, index) => {
    const title = (verb: string): string => `${targetName(target)}: ${right.word} ${verb}`;
    return [
      ...(gained === undefined ? [] : [standingHtml(target, gained, after, `gained-${index}`, title("gained"))]),
      ...(lost === undefined ? [] : [standingHtml(target, lost, before, `lost-${index}`, title("lost"))]),
    ];
  });
  const told = laterTexts(later, { ...after, style: PLAIN, all: false });
  const open = [...web.map(webText), ...besides.map((fact) => riskText({ fact })), ...told];
  const opened =
    open.length === 0
      ? ""
      : `<ul>${open.map((text) => `<li><span class="risk sign">!</span> ${foreign(text)}</li>`).join("")}</ul>`;
  const asked =
    invited.length === 0
      ? ""
      : `<ul id="invited">${invited.map((each) => `<li>${foreign(invitedText(each))}</li>`).join("")}</ul>`;
  const none = html.verdict("<strong>Nobody gains or loses access.</strong>");
  const notes = notesHtml([...perhapsNote(perhaps), ...hiddenNote(after)]);
  const below = `${shifts.length + open.length === 0 ? none : opened}${asked}${notes}`;
  return html.page("Access: plan", header("Who gains and loses access", after.basis, below), [picture, ...sections]);
}

/** Who reads which private channel, and by which path, in the whole organization. */
export function overviewHtml(context: HtmlContext, picture: Picture): string {
  const none = picture === "" ? html.verdict("There is no channel.") : "";
  const head = header("Who reads which channel", context.basis, `${none}${notesHtml(hiddenNote(context))}`);
  return html.page("Access: channels", head, [picture]);
}
