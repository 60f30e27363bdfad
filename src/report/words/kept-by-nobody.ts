import type { RiskFact } from "../../model/facts.ts";
import { listNames } from "./list-names.ts";
import { called, people, who } from "./names.ts";

/** What is lost for good with an emoji, a profile field or a playground. */
export type KeptByNobody = Extract<
  RiskFact,
  {
    readonly kind:
      | "emoji-removed"
      | "emoji-replaced"
      | "emoji-overrides"
      | "profile-field-removed"
      | "profile-options-removed"
      | "profile-service-fixed"
      | "code-language-reset";
  }
>;

export function keptByNobodyText(fact: KeptByNobody): string {
  const name = called(fact.object);
  switch (fact.kind) {
    case "emoji-removed":
      return `the emoji :${name}:${by(fact)} is removed: its picture cannot be restored`;
    case "emoji-replaced":
      return `:${name}:${by(fact)} gets another picture: the previous one cannot be restored, and messages keep it`;
    case "emoji-overrides":
      return `:${name}: replaces the built-in emoji of that name for everybody`;
    case "profile-field-removed":
      return `the profile field ${name} is removed with ${lost(fact.people)}`;
    case "profile-options-removed": {
      const one = fact.options.length === 1;
      return `the option${one ? "" : "s"} ${listNames(
        fact.options.map(({ quoted }) => quoted),
        4,
      )} of ${name} ${one ? "is" : "are"} removed with ${lost(fact.people)}`;
    }
    case "profile-service-fixed":
      return `${name} will be for ${fact.service}: the server never changes that again`;
    case "code-language-reset":
      return `code blocks lose their default language: with ${name}, the server clears default_code_block_language (${fact.language.quoted})`;
  }
}

const by = ({ author }: { readonly author?: Parameters<typeof who>[0] | undefined }): string =>
  author === undefined ? "" : ` by ${who(author)}`;

function lost(count: number | null): string {
  if (count === null) return "the values that people entered";
  return count === 0 ? "no value: nobody entered one" : `the values of ${people(count)}`;
}
