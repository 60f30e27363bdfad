import type { FragmentCause, NavigationViewFacts } from "../../../model/diagnostics/navigation-views.ts";
import { accountThatRuns, bare, didYouMean, q, say, type Words, type WordsOf } from "./words.ts";

export const navigationViewWords: WordsOf<NavigationViewFacts> = {
  "navigation_views/built-in-name": ({ view }) =>
    say(`${bare(view)} is one of Zulip's own views, and those cannot be named`, "delete name"),
  "navigation_views/fragment": fragmentCause,
  "navigation_views/no-is-pinned": ({ view }) =>
    say(`the view ${bare(view)} is new, and is_pinned is missing`, "write is_pinned: true or is_pinned: false"),
  "navigation_views/no-name": (fact) =>
    fact.is_new
      ? say(
          `the view ${bare(fact.view)} is none of Zulip's own, and a new view of your own needs a name`,
          didYouMean(fact.meant, "add a name, such as name: My mentions"),
          `Zulip's own views: ${fact.built_in.join(", ")}`,
        )
      : say(`the name of the view ${bare(fact.view)} must not be empty`, "write one, such as name: My mentions"),
  "navigation_views/personal": ({ account }) =>
    say(
      `these are the navigation views of ${accountThatRuns(account).replace(/,$/, "")}, and of nobody else`,
      "everybody arranges their own views: the server lets nobody set them for others",
    ),
  "navigation_views/same-name": ({ views: [one, other], name }) =>
    say(`${bare(one)} and ${bare(other)} would both have the name ${q(name)}`, "rename one of them, or remove it"),
};

const PART = "a view is named by the part of its URL after the #";

function fragmentCause(fact: FragmentCause): Words {
  switch (fact.cause) {
    case "empty":
      return say(PART, "write that part");
    case "hash": {
      const fragment = bare(fact.fragment);
      return say(PART, `write ${fragment.slice(fragment.indexOf("#") + 1)}`);
    }
    case "dots":
      return say(
        `${bare(fact.fragment)} has "." or ".." between slashes`,
        "the server creates such a view, but can never change or remove it",
      );
    case "case":
      return say(`${bare(fact.fragment)} is not one of Zulip's own views: case matters`, `write ${fact.built_in}`);
  }
}
