import { cases, type FactIn } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import type { Person, Quoted, Word } from "./values.ts";
import { accountThatRuns, bare, didYouMean, q, say } from "./words.ts";

const PART = "a view is named by the part of its URL after the #";

/** The reason why a text does not name a view. */
const fragmentCause = cases("cause", {
  empty: say(PART, "write that part"),
  hash: (fact: { fragment: Quoted }) => {
    const fragment = bare(fact.fragment);
    return say(PART, `write ${fragment.slice(fragment.indexOf("#") + 1)}`);
  },
  dots: ({ fragment }: { fragment: Quoted }) =>
    say(
      `${bare(fragment)} has "." or ".." between slashes`,
      "the server creates such a view, but can never change or remove it",
    ),
  case: ({ fragment, built_in }: { fragment: Quoted; built_in: Word }) =>
    say(`${bare(fragment)} is not one of Zulip's own views: case matters`, `write ${built_in}`),
});
export type FragmentCause = FactIn<typeof fragmentCause>;

export const navigationViews = {
  "navigation_views/built-in-name": diagnostic<{ view: Quoted }>({
    says: ({ view }) => `${bare(view)} is one of Zulip's own views, and those cannot be named`,
    help: "delete name",
    means: "Zulip's own views cannot have another name.",
    out: "Delete `name`.",
  }),
  "navigation_views/fragment": diagnostic<FragmentCause>({
    says: fragmentCause,
    means:
      "A view is named by the part of its URL behind the `#`. This part does not name a view that can be created and removed again.",
    out: "Write it like `narrow/topic/mentions`.",
  }),
  "navigation_views/no-is-pinned": diagnostic<{ view: Quoted }>({
    says: ({ view }) => `the view ${bare(view)} is new, and is_pinned is missing`,
    help: "write is_pinned: true or is_pinned: false",
    means: "A new view must say whether it is pinned; the server has no default.",
    out: "Write `is_pinned: true` or `false`.",
  }),
  "navigation_views/no-name": diagnostic<
    { view: Quoted; is_new: false } | { view: Quoted; is_new: true; meant?: Word; built_in: readonly Word[] }
  >({
    says: (fact) =>
      fact.is_new
        ? say(
            `the view ${bare(fact.view)} is none of Zulip's own, and a new view of your own needs a name`,
            didYouMean(fact.meant, "add a name, such as name: My mentions"),
            `Zulip's own views: ${fact.built_in.join(", ")}`,
          )
        : say(`the name of the view ${bare(fact.view)} must not be empty`, "write one, such as name: My mentions"),
    means: "Your own view needs a name.",
    out: "Write `name`.",
  }),
  "navigation_views/personal": diagnostic<{ account: Person }>({
    says: ({ account }) =>
      `these are the navigation views of ${accountThatRuns(account).replace(/,$/, "")}, and of nobody else`,
    help: "everybody arranges their own views: the server lets nobody set them for others",
    means:
      "Navigation views belong to the account that runs realmctl, and nobody else sees them. Every plan says this.",
    out: "If the file is meant to arrange the views of this account, nothing has to be done.",
  }),
  "navigation_views/same-name": diagnostic<{ views: readonly [Quoted, Quoted]; name: Quoted }>({
    says: ({ views: [one, other], name }) => `${bare(one)} and ${bare(other)} would both have the name ${q(name)}`,
    help: "rename one of them, or remove it",
    means: "Two views have the same name, and the server refuses that.",
    out: "Give one of them another name.",
  }),
};
