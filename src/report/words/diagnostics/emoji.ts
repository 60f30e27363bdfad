import type { EmojiFacts } from "../../../model/diagnostics/emoji.ts";
import { accountThatRuns, bare, q, say, type WordsOf } from "./words.ts";

export const emojiWords: WordsOf<EmojiFacts> = {
  "emoji/not-allowed": (fact) => {
    const account = accountThatRuns(fact.account);
    switch (fact.may_not) {
      case "add-as-bot":
        return say(
          `${account} is a bot, and the server accepts no pictures of emoji from bots`,
          "use the key of a person",
        );
      case "add":
        return say(
          `${account} may not add custom emoji`,
          "use an account that can_add_custom_emoji_group names; this also applies to owners",
        );
      case "override":
        return say(
          `${account} may not give a custom emoji the name of a built-in one`,
          "use an account of an administrator or owner, or another name",
        );
      case "remove":
        return say(
          `${account} may not remove :${bare(fact.name)}:`,
          "use an account of an administrator or owner, or that of its author",
        );
    }
  },
  "emoji/name": ({ cause, name }) => {
    switch (cause) {
      case "empty":
        return say("an emoji needs a name", "write one before the colon: party_parrot");
      case "characters":
        return say(
          `${q(name)} cannot be the name of an emoji`,
          `${/^:[a-z0-9_-]+:$/.test(bare(name)) ? `write ${bare(name).slice(1, -1)}: ` : ""}a name consists of lower-case letters a to z, digits, _ and -; spaces become _`,
        );
      case "end":
        return say(`${q(name)} does not end with a letter or a digit`, "delete what follows it");
    }
  },
  "emoji/no-image": ({ name }) =>
    say(
      `the new emoji :${bare(name)}: needs a picture`,
      `write the path of a PNG, JPEG, GIF or WebP file: ${bare(name)}: emoji/${bare(name)}.png`,
    ),
  "emoji/replaces": (fact) => {
    switch (fact.cause) {
      case "without-image":
        return say("replaces needs an image, which replaces the picture", "add image: with the path of the file");
      case "unknown-id":
        return say(
          `no emoji has or had the id ${fact.id}`,
          fact.is !== undefined
            ? `write the id that the emoji has now: replaces: ${fact.is}`
            : "write the id that the emoji has now: a snapshot has it under emoji, and so has the plan that removes it",
        );
      case "other-id":
        return say(
          `replaces names the id ${fact.id}, and :${bare(fact.name)}: has the id ${fact.is} by now`,
          "it was replaced already: delete replaces",
        );
    }
  },
  "emoji/overrides": ({ name }) =>
    say(
      `:${bare(name)}: is a built-in emoji, and a custom emoji with its name hides it`,
      "confirm it with overrides_builtin: true, or give it another name",
    ),
};
