import type { States } from "../../access/of-plan.ts";
import type { People } from "../../access/people.ts";
import {
  bothSides,
  type ChannelPicture,
  holdersOn,
  type Mark,
  markOf,
  type PictureWay,
  type Sides,
} from "../../access/picture.ts";
import { CHANNEL } from "../../access/scope.ts";
import { wordOf } from "../../access/words.ts";
import { clean } from "../../model/clean.ts";
import { boundText, MOST_NAMED, peopleText, privacyText, sizeText } from "./names.ts";
import { stepText } from "./text.ts";
import { PRIVACY_TEXTS, throughText } from "./way.ts";

/** What a picture is drawn of. Both states are the same if nothing is compared. */
export type Drawn = Pick<States, "realm" | "before" | "after">;

/** The subject of a picture, as its heading, and what it says if it is empty. */
export const PICTURES = {
  organization: { title: "Channels, by which path", none: "No private channel" },
  channel: { title: "By which path", none: "Nobody" },
  group: { title: "Private channels that it opens", none: "No private channel" },
  account: { title: "Private channels, by which path", none: "No private channel" },
  plan: { title: "Channels, by which path: before and after", none: "Nobody gains or loses it" },
} as const;
export type PictureOf = keyof typeof PICTURES;

export const MARKS = { same: "", added: "+ ", removed: "− ", changed: "~ " } as const satisfies Record<Mark, string>;

/** "subscribed", "can_subscribe_group", "can join staff, and then read it" */
export function wayLabel({ source, coming }: PictureWay): string {
  const own = source.after ?? source.before;
  const step = coming.after ?? coming.before;
  if (step !== undefined) return `can ${stepText(step)}, and then read it`;
  switch (own?.via) {
    case "setting":
      return clean(own.setting);
    case "privacy":
      return PRIVACY_TEXTS[own.privacy];
    case "key":
      return throughText(own.bots.map(({ name }) => name));
    case "subscriber":
      return "subscribed";
    default:
      return own?.via ?? "";
  }
}

/** "12 people", "12 people → 14 people" */
export function peopleOn(sides: Sides<People>, drawn: Drawn): string {
  return bothTexts(bothSides(sides, (people, side) => sizeText(drawn[side], people))) ?? "nobody";
}

const bothTexts = ({ before, after }: Sides<string>): string | undefined =>
  before === undefined || after === undefined || before === after ? (after ?? before) : `${before} → ${after}`;

/** The names behind a number: all of a few, and those who come and go. */
export function namesOn(sides: Sides<People>, { realm, before, after }: Drawn): readonly string[] {
  const [was, is] = [sides.before, sides.after];
  if (markOf(sides) !== "changed" || was === undefined || is === undefined) {
    const [people, state] = is === undefined ? [was, before] : [is, after];
    return people === undefined || people.size === 0 || people.size > MOST_NAMED
      ? []
      : [peopleText(realm, state, people)];
  }
  return [
    ...(is.minus(was).size === 0 ? [] : [`+ ${peopleText(realm, after, is.minus(was))}`]),
    ...(was.minus(is).size === 0 ? [] : [`− ${peopleText(realm, before, was.minus(is))}`]),
  ];
}

/** "private, shared history, archived" */
export function privacyOn({ channel }: ChannelPicture, drawn: Drawn): string {
  const sides = bothSides(channel, (it, side) =>
    [privacyText(drawn[side].opennessOf(it)), ...(it.archived ? ["archived"] : [])].join(", "),
  );
  return bothTexts(sides) ?? "";
}

/** Who gains the right, and who loses it. */
export const movedOn = (picture: ChannelPicture, drawn: Drawn): readonly string[] =>
  markOf(holdersOn(picture)) === "changed" ? namesOn(holdersOn(picture), drawn) : [];

/** "read: 14 people", with "at least" where the subscribers were not read. */
export function holdersText(picture: ChannelPicture, drawn: Drawn): string {
  const { before, after } = picture.holders;
  return `${wordOf(CHANNEL, picture.right)}: ${boundText((after ?? before)?.holders.bound)}${peopleOn(holdersOn(picture), drawn)}`;
}
