import { type Coming, comingTo, type Reach } from "../../access/answers.ts";
import type { Standing } from "../../access/grants.ts";
import { READ } from "../../access/rules.ts";
import type { Target } from "../../access/sources.ts";
import { wordOf } from "../../access/words.ts";
import { left, page } from "../html-page.ts";
import { escapeHtml, foreign } from "../html-text.ts";
import { grouped } from "../style.ts";
import { riskText } from "../words/risks.ts";
import { accessPathText, heldName, peopleText, personName, sizeText, sourceText, targetName } from "./names.ts";
import { invitedText, perhapsNote, type Shifts, webText } from "./shifts-text.ts";
import { type AnswerContext, comingTexts, hiddenNote, stepText } from "./text.ts";

/** The maximum number of names on one page, which a phone can still scroll. */
const MOST_NAMES = 2000;

type HtmlContext = Omit<AnswerContext, "style" | "all">;

/** The section with the picture; empty if there is nothing to draw. */
type Picture = string;

const ELSEWHERE = "--format csv or json has every one";

function header(title: string, facts: readonly string[]): string {
  const shown = facts.filter((fact) => fact !== "").map(escapeHtml);
  return `<header><h1>${foreign(title)}</h1><p class="dim">${shown.join(" · ")}</p></header>`;
}

/** Each right on one object: its holders, and why. */
export function objectHtml(
  target: Target,
  standings: readonly Standing[],
  context: HtmlContext,
  picture: Picture,
): string {
  const name = targetName(target);
  const sections = standings.map((standing, index) => standingHtml(target, standing, context, `right-${index}`));
  const coming = standings.some(({ right }) => right === READ) ? comingTo(context.state, target) : undefined;
  const notes =
    coming === undefined
      ? []
      : [`${peopleText(context.realm, context.state, coming.people)} can ${stepText(coming)}, and then read it.`];
  return page(`Access: ${name}`, `${header(`Who may do what: ${name}`, context.basis)}${notesHtml(notes)}`, [
    picture,
    ...sections,
  ]);
}

const notesHtml = (notes: readonly string[]): string => notes.map((note) => `<p>${foreign(note)}</p>`).join("");

function standingHtml(target: Target, standing: Standing, context: HtmlContext, id: string, title?: string): string {
  const { realm, state } = context;
  const { people, bound } = standing.holders;
  const names = [...people].slice(0, MOST_NAMES).map((person) => {
    const by = standing.grants.flatMap(({ source, people: own }) =>
      own.has(person) ? [sourceText(source, target)] : [],
    );
    return `<li data-item>${foreign(personName(realm, person))} <span class="dim">${foreign(by.join("; "))}</span></li>`;
  });
  const upTo = bound === undefined ? "" : bound === "least" ? "at least " : "at most ";
  const head = title ?? wordOf(standing.scope, standing.right);
  const list = names.length === 0 ? "" : `<ul class="names">${names.join("\n")}</ul>`;
  return `<section id="${id}" data-group><h2>${escapeHtml(head)}: ${upTo}${escapeHtml(sizeText(state, people))}</h2><details${people.size <= 20 ? " open" : ""}><summary>names</summary>${list}</details>${left(people.size - names.length, "more name", ELSEWHERE)}</section>`;
}

/** What one person may do. */
export function personHtml(
  about: { readonly name: string; readonly notes: readonly string[] },
  reaches: readonly Reach[],
  comings: readonly Coming[],
  context: HtmlContext,
  picture: Picture,
): string {
  const sections = reaches.map(({ right, may, mayNot }, index) => {
    const items = may.slice(0, MOST_NAMES).map(({ target, paths }) => {
      const by = paths.map((path) => accessPathText(path, target)).join("; ");
      return `<li data-item>${foreign(heldName(target))} <span class="dim">${foreign(by)}</span></li>`;
    });
    const not = mayNot.slice(0, MOST_NAMES).map((target) => `<li data-item>${foreign(targetName(target))}</li>`);
    const no =
      not.length === 0
        ? ""
        : `<details><summary>not in ${grouped(mayNot.length)}</summary><ul class="names">${not.join("\n")}</ul></details>`;
    const yes = items.length === 0 ? "" : `<ul>${items.join("\n")}</ul>`;
    const of =
      right.scope === "organization"
        ? may.length > 0
          ? "yes"
          : "no"
        : `${grouped(may.length)} of ${grouped(may.length + mayNot.length)}`;
    return `<section id="right-${index}" data-group><h2>${escapeHtml(right.word)}: ${of}</h2>${right.scope === "organization" ? yes : `${yes}${no}`}${left(may.length - items.length, "more object", ELSEWHERE)}</section>`;
  });
  return page(
    `Access: ${about.name}`,
    `${header(`What ${about.name} may do`, [...about.notes, ...context.basis])}${notesHtml([...comingTexts(comings, false), ...hiddenNote(context)])}`,
    [picture, ...sections],
  );
}

/** Who gains and who loses which right. */
export function shiftsHtml(
  { people: shifts, web, invited, perhaps, besides }: Shifts,
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
  const open = [...web.map(webText), ...besides.map((fact) => riskText({ fact }))];
  const opened =
    open.length === 0
      ? ""
      : `<ul>${open.map((text) => `<li><span class="risk sign">!</span> ${foreign(text)}</li>`).join("")}</ul>`;
  const asked =
    invited.length === 0
      ? ""
      : `<ul id="invited">${invited.map((each) => `<li>${foreign(invitedText(each))}</li>`).join("")}</ul>`;
  const none = '<p class="verdict"><strong>Nobody gains or loses access.</strong></p>';
  return page(
    "Access: plan",
    `${header("Who gains and loses access", after.basis)}${shifts.length + open.length === 0 ? none : opened}${asked}${notesHtml([...perhapsNote(perhaps), ...hiddenNote(after)])}`,
    [picture, ...sections],
  );
}

/** Who reads which private channel, and by which path, in the whole organization. */
export function overviewHtml(context: HtmlContext, picture: Picture): string {
  const none = picture === "" ? '<p class="verdict">There is no channel.</p>' : "";
  return page(
    "Access: channels",
    `${header("Who reads which channel", context.basis)}${none}${notesHtml(hiddenNote(context))}`,
    [picture],
  );
}
