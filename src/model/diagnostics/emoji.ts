import { cases } from "../cases.ts";
import { diagnostic } from "./definition.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, q, say } from "./words.ts";

export const emoji = {
  "emoji/not-allowed": diagnostic({
    says: cases("may_not", {
      "add-as-bot": ({ account }: { account: Person }) =>
        say(
          `${accountThatRuns(account)} is a bot, and the server accepts no pictures of emoji from bots`,
          "use the key of a person",
        ),
      add: ({ account }: { account: Person }) =>
        say(
          `${accountThatRuns(account)} may not add custom emoji`,
          "use an account that can_add_custom_emoji_group names; this also applies to owners",
        ),
      override: ({ account }: { account: Person }) =>
        say(
          `${accountThatRuns(account)} may not give a custom emoji the name of a built-in one`,
          "use an account of an administrator or owner, or another name",
        ),
      remove: ({ account, name }: { account: Person; name: Quoted }) =>
        say(
          `${accountThatRuns(account)} may not remove :${bare(name)}:`,
          "use an account of an administrator or owner, or that of its author",
        ),
    }),
    means:
      "The account that runs realmctl may not add or remove the emoji. Bots cannot add emoji; `can_add_custom_emoji_group` also applies to owners; only administrators can use the name of a built-in emoji; only administrators and the author can remove an emoji.",
    out: "Use the key of an account that may do this.",
  }),
  "emoji/name": diagnostic({
    says: cases("cause", {
      empty: (_: { name: Quoted }) => say("an emoji needs a name", "write one before the colon: party_parrot"),
      characters: ({ name }: { name: Quoted }) =>
        say(
          `${q(name)} cannot be the name of an emoji`,
          `${/^:[a-z0-9_-]+:$/.test(bare(name)) ? `write ${bare(name).slice(1, -1)}: ` : ""}a name consists of lower-case letters a to z, digits, _ and -; spaces become _`,
        ),
      end: ({ name }: { name: Quoted }) =>
        say(`${q(name)} does not end with a letter or a digit`, "delete what follows it"),
    }),
    means:
      "Names of emoji consist of lower-case letters a to z, digits, `_` and `-`, and end with a letter or a digit. Spaces become `_`.",
    out: "Correct the name.",
  }),
  "emoji/no-image": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `the new emoji :${bare(name)}: needs a picture`,
    help: ({ name }) => `write the path of a PNG, JPEG, GIF or WebP file: ${bare(name)}: emoji/${bare(name)}.png`,
    means: "A new emoji has no picture.",
    out: "Write the path of a PNG, JPEG, GIF or WebP file: `party_parrot: emoji/party_parrot.gif`.",
  }),
  "emoji/replaces": diagnostic({
    says: cases("cause", {
      "without-image": say(
        "replaces needs an image, which replaces the picture",
        "add image: with the path of the file",
      ),
      /** No emoji of the organization has, or ever had, that id. */
      "unknown-id": ({ id, is }: { id: number; is?: number }) =>
        say(
          `no emoji has or had the id ${id}`,
          is !== undefined
            ? `write the id that the emoji has now: replaces: ${is}`
            : "write the id that the emoji has now: a snapshot has it under emoji, and so has the plan that removes it",
        ),
      "other-id": ({ id, name, is }: { name: Quoted; id: number; is: number }) =>
        say(
          `replaces names the id ${id}, and :${bare(name)}: has the id ${is} by now`,
          "it was replaced already: delete replaces",
        ),
    }),
    means:
      "`replaces` names the id of the emoji whose picture is replaced. It needs an `image`, and has no effect once the emoji has another id.",
    out: "Add `image`, or delete `replaces`.",
  }),
  "emoji/overrides": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `:${bare(name)}: is a built-in emoji, and a custom emoji with its name hides it`,
    help: "confirm it with overrides_builtin: true, or give it another name",
    means: "The name is that of a built-in emoji, or another name of one. A custom emoji replaces it for everybody.",
    out: "Give it another name; or confirm it with `overrides_builtin: true`.",
  }),
};
