import { AccessDifference } from "../access/difference.ts";
import { statesWithBots } from "../access/of-plan.ts";
import {
  type ChannelPicture,
  changedPictures,
  channelPicture,
  foldersOf,
  type Overview,
  overviewOf,
  throughAccount,
  throughGroup,
} from "../access/picture.ts";
import { READ } from "../access/rules.ts";
import { CHANNEL, isChannel } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import type { AccessState } from "../access/state.ts";
import type { Right } from "../access/words.ts";
import { defined } from "../model/defined.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { mermaidOf } from "../report/access/mermaid.ts";
import { targetName } from "../report/access/names.ts";
import { pictureHtml } from "../report/access/picture-html.ts";
import type { Drawn, PictureOf } from "../report/access/picture-text.ts";

/** What a picture is about. */
export type Subject =
  | { readonly about: "everything" }
  | { readonly about: "object"; readonly target: Target }
  | { readonly about: "account"; readonly id: number };

interface Pictured {
  readonly drawn: Drawn;
  readonly pictures: readonly ChannelPicture[];
  readonly open?: Overview["open"];
  readonly of: PictureOf;
}

/** One state of an organization as a picture: its private channels, as far as the subject has to do with them. */
export function pictured(
  subject: Subject,
  { realm, state }: { readonly realm: Realm; readonly state: AccessState },
  rights: readonly Right[] | undefined,
): Pictured {
  const right = drawnRight(rights);
  const drawn: Drawn = { realm, before: state, after: state };
  const target = subject.about === "object" ? subject.target : "organization";
  if (target !== "organization" && isChannel(target))
    return { drawn, pictures: [channelPicture(drawn, target.name, right)], of: CHANNEL };
  const { closed, open } = overviewOf(state, right);
  if (subject.about === "account")
    return { drawn, pictures: closed.flatMap((picture) => throughAccount(picture, subject.id) ?? []), of: "account" };
  if (target === "organization") return { drawn, pictures: closed, open, of: "organization" };
  return { drawn, pictures: closed.flatMap((picture) => throughGroup(picture, target.name, state) ?? []), of: "group" };
}

/** What a plan changes about a right in channels, as a picture with both sides. */
export function picturedChanges(drawn: Drawn, rights?: readonly Right[], target?: Target): Pictured {
  const only = target && ((other: Target) => targetName(other) === targetName(target));
  const difference = new AccessDifference(drawn.before, drawn.after);
  return { drawn, pictures: changedPictures(difference, drawnRight(rights), only), of: "plan" };
}

/** The section of a plan's page: who reads which channel before and after it; empty if nobody gains or loses it. */
export function planPicture(plan: Plan, snapshot: Snapshot): string {
  const { realm, before, after } = statesWithBots(plan.changes, new Realm(snapshot));
  return asSection(picturedChanges({ realm, before, after }));
}

/** Reading, unless only other rights on channels are asked for. */
function drawnRight(rights: readonly Right[] | undefined): string {
  const own = (rights ?? []).filter(({ scope }) => scope === CHANNEL).map(({ right }) => right);
  return own.includes(READ) ? READ : (own[0] ?? READ);
}

export const asMermaid = ({ pictures, drawn, of }: Pictured): string => mermaidOf(pictures, drawn, of);

/** The section of a page. */
export const asSection = ({ pictures, drawn, open, of }: Pictured): string =>
  pictureHtml(pictures, drawn, { folders: foldersOf(drawn.realm), of, ...defined({ open }) });
