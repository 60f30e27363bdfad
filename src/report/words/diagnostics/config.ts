import type { ConfigFacts } from "../../../model/diagnostics/config.ts";
import { commandLine } from "../../command-line.ts";
import { valueText as asInFile } from "../../values.ts";
import { isWordForKey, KEY_IN_FILE } from "../api-keys.ts";
import { listNames } from "../list-names.ts";
import { besidesText, fieldWords, pathWay } from "./fields.ts";
import { foundText, writtenText } from "./found-value.ts";
import { fileOfWords } from "./other-formats.ts";
import { bare, didYouMean, listOf, q, say, type WordsOf } from "./words.ts";

const meant = (word: string | undefined, otherwise: string): string =>
  word === undefined ? otherwise : `did you mean ${JSON.stringify(word)}?`;

function heldText(name: string, holds: ConfigFacts["config/unknown-section"]["holds"]): string | undefined {
  if (holds === undefined) return undefined;
  if (holds === "anchors")
    return "set an anchor where its value is first used: general: &common {privacy: public}, and further down <<: *common; fields that several channels share are a profile (profiles:) or defaults:, a text that several share is a variable (vars:)";
  if (holds === "renames")
    return "a new name is written at the object: was: with the old name, in channels, user_groups and other sections";
  if (holds === "everything")
    return "the values of the organization (name, description, rights) are in settings:, and sections such as channels: start in the first column";
  if ("line" in holds) return `name each section: ${bare(holds.line)}`;
  if ("file_of" in holds || "unknown_keys" in holds) return undefined;
  if ("path" in holds) return pathWay(holds.path.map(bare));
  if ("belongs_under" in holds) return `it belongs under ${holds.belongs_under.map((key) => `${key}:`).join(" ")}`;
  return holds.rules === "alone"
    ? `check it against the file of the organization: ${commandLine(["test", "--rules", holds.file, "realm.yaml"])}`
    : `rules about access are in a file of their own: move ${name}: to realm.test.yaml, with version: 1 above; realmctl test checks it`;
}

/** A template may be meant as it is written, unless nothing like it can be here. */
const orLeave = (what: "name" | "text", isRefused: true | undefined): string =>
  isRefused === true ? "" : `; if this is the ${what} itself, leave it`;

/** The names of a text, as a list of the file: Zulip writes # in front of channels, which would start a comment. */
const listOfNames = (text: string): string => asInFile(text.split(/,\s*/).map((name) => name.replace(/^#/, "")));

export const configWords: WordsOf<ConfigFacts> = {
  ...fieldWords,
  "config/contradiction": ({ absent, field }) =>
    say(
      `absent: ${absent} and ${field}: ${!absent} contradict each other`,
      `keep one: ${field}: true to remove it, ${field}: false to keep it`,
    ),
  "config/declared-twice": ({ noun, name, other, known_by, in_list }) =>
    in_list === true
      ? say(`${q(name)} is twice in this list`, "delete one of the two, or write the name that was meant")
      : say(
          name.quoted === other.quoted
            ? `the ${noun} ${q(name)} is declared twice`
            : `${q(name)} and ${q(other)} are the same ${noun} to the server`,
          known_by === undefined
            ? "keep one of the two"
            : `the server tells ${noun}s apart by ${listNames(known_by)} alone: write everything into one entry, or change one of these fields`,
        ),
  "config/exact-without-section": ({ section, is_one }) =>
    say(
      `manage says exact for ${section}, but the file has no ${section}`,
      `delete the line to leave ${section} alone, or add the section (an empty one ${is_one ? "sets every field to the server's default" : "removes all of them"})`,
    ),
  "config/policy": ({ found, where, meant: word, line }) =>
    where === "manage"
      ? say(
          "manage is a map from sections to policies",
          `write ${line === undefined ? "manage: {channels: additive}" : bare(line)}`,
        )
      : say(
          `${found.is === "nothing" ? "an empty value" : writtenText(found)} is not a policy`,
          meant(word, "policies: ignore, additive (what is not in the file is left alone), exact (it is removed)"),
        ),
  "config/realm": (fact) => {
    switch (fact.cause) {
      case "no-url":
        return say(
          "realm is the URL of an organization",
          fact.host === undefined ? "write it like https://chat.example.org" : `write https://${bare(fact.host)}`,
        );
      case "credentials":
        return say(
          "credentials do not belong in the file",
          "delete them from the URL; keys come from ZULIP_* variables or a zuliprc",
        );
      case "path":
        return say("realm is the URL of an organization, without a path", `write ${fact.origin}`);
    }
  },
  "config/renamed-twice": ({ noun, was }) =>
    say(`two objects of the file say that they were the ${noun} ${q(was)}`, "keep one of the two"),
  "config/same-id": ({ noun, id }) =>
    say(`two objects of the file are the ${noun} with the id ${id}`, "keep one of the two"),
  "config/comment-as-value": ({ field, comment, is_right }) =>
    is_right === true || comment === undefined
      ? say(
          `${bare(field)} has no value, so nobody has this right${comment === undefined ? "" : `: "${bare(comment)}" is a comment`}`,
          `write who has it, such as ${bare(field)}: role:moderators; or role:nobody, if nobody is meant; or delete the line`,
        )
      : say(
          `${bare(field)} has no value, which clears it: "${bare(comment)}" is a comment`,
          `put a text that starts with # in quotes: ${bare(field)}: ${JSON.stringify(bare(comment))}; if it is a comment, write ${bare(field)}: null # ${bare(comment).slice(1)}`,
        ),
  "config/placeholder": ({ text, is_template, variable, in_name, is_refused }) =>
    is_template && in_name === true
      ? say(
          `${bare(text)} looks like a template of another program: nothing replaces it here`,
          `write the name in full, with an entry for each name${orLeave("name", is_refused)}`,
        )
      : is_template
        ? say(
            `${bare(text)} looks like a template of another program: nothing replaces it here`,
            `${variable === undefined ? 'declare a variable under vars, and write "${its_name}"' : `write "\${${bare(variable)}}", with ${bare(variable)} declared under vars`}${orLeave("text", is_refused)}`,
          )
        : say(
            `${bare(text)} looks like a value that nobody filled in`,
            "write the value; if this is the text itself, leave it",
          ),
  "config/invisible-in-name": ({ noun, name }) =>
    say(
      `the name of the ${noun} ${q(name)} has a character that nobody sees, or that turns the order of letters around`,
      "delete the character from the name",
    ),
  "config/same-letters": ({ noun, name, other, where, by_case }) =>
    say(
      `${q(name)} looks like the ${noun} ${q(other)}, but the server takes them for two names: they differ ${by_case === true ? "only in capital letters" : "in a letter of another script, in how a letter is encoded, or in characters that nobody sees"}`,
      where === "file"
        ? "delete one of the two, or give it a name that looks different"
        : "copy the name from the organization, or write one that looks different",
    ),
  "config/section": ({ section, many, shape, found, entry, besides }) => {
    const form =
      shape === "map" ? `a map from names to ${many}` : shape === "list" ? `a list of ${many}` : "a map of fields";
    if (found.is === "nothing")
      return say(
        `${section} is empty`,
        `write ${section}: ${shape === "list" ? "[]" : "{}"} to declare no ${many}, or delete the line to leave them as they are`,
      );
    if (found.is === "list" && found.length === 0)
      return say(`${section} is ${form}, not a list`, `write ${section}: {} to declare no ${many}`);
    return say(
      `${section} is ${form}, not ${foundText(found)}`,
      shape === "list"
        ? entry === undefined
          ? found.is === "text" && !/^-\S/.test(bare(found.text))
            ? `write a list: ${listOfNames(bare(found.text))}`
            : 'start every entry with "- "'
          : `write each as an entry of the list: ${bare(entry)}${besidesText(besides)}`
        : entry !== undefined
          ? `write each as an entry of the map${found.is === "list" ? ", without a dash" : ""}: ${bare(entry)}`
          : found.is === "text" && /^[^\s:]+:[^\s/]/.test(bare(found.text))
            ? "write a space behind the colon"
            : `write each ${shape === "map" ? "name" : "field"} on a line of its own, ${found.is === "list" ? 'without "- ", and ' : ""}followed by a colon`,
    );
  },
  "config/unknown-section": ({ name, meant: word, above, holds, sections }) => {
    if (typeof holds === "object" && "file_of" in holds) return fileOfWords(holds.file_of);
    if (typeof holds === "object" && "unknown_keys" in holds)
      return say(
        `this looks like the file of another program: none of its keys is a section: ${listOf(holds.unknown_keys)}`,
        "name the file of the organization; realmctl init writes a first one from the server",
        `sections: ${listNames(sections, 20)}`,
      );
    return say(
      holds !== undefined && typeof holds !== "string" && "rules" in holds && holds.rules === "alone"
        ? "this is a file of rules about access, not the file of an organization"
        : `there is no section ${q(name)}`,
      isWordForKey(bare(name))
        ? KEY_IN_FILE
        : (heldText(bare(name), holds) ??
            meant(
              word,
              above === undefined ? `sections: ${listNames(sections, 20)}` : `if it belongs to ${above}, indent it`,
            )),
    );
  },
  "config/unset": (fact) => {
    switch (fact.cause) {
      case "key":
        return say(
          `a section of manage has no ${q(fact.key)}`,
          meant(fact.meant, "its keys are policy, except and unset"),
        );
      case "value":
        return say(
          `unset cannot be ${fact.found.is === "nothing" ? "empty" : writtenText(fact.found)}`,
          "write unset: default (a field that is left out must have the value that the server gives to new objects) or unset: leave (it stays as it is)",
        );
      case "ignored":
        return say(
          `${fact.section} cannot have policy: ignore and unset: default: what is ignored is not watched`,
          "delete unset, or write policy: additive",
        );
      case "no-defaults":
        return say(
          `${fact.section} cannot have unset: default: their fields have no known defaults`,
          "delete it: realmctl then watches only what an item says",
        );
      case "except":
        return say(
          `except of ${fact.section} is a list of names, at most ${fact.most}`,
          `write manage: {${fact.section}: {policy: exact, except: ['tmp-*']}}; * is any text, and ? any one character`,
        );
      case "except-of-nothing":
        return say(
          `except of ${fact.section} in manage leaves nothing out by ${q(fact.pattern)}: nothing on the server matches it`,
          didYouMean(fact.meant, "correct it, or delete it"),
        );
      case "except-of-none":
        return say(
          `${fact.section} cannot have except in manage: realmctl looks only at what the file has of them`,
          "delete it",
        );
    }
  },
  "config/version": (fact) =>
    fact.cause === "missing"
      ? say("the file does not say which version of the format it has", 'start it with "version: 1"')
      : say(
          `this realmctl reads version ${fact.version} of the format, not ${writtenText(fact.found)}`,
          fact.found.is === "number" && fact.found.number > fact.version
            ? "use a newer realmctl"
            : `write version: ${fact.version}`,
        ),
  "profiles/cycle": ({ name }) => say(`the profile ${q(name)} builds on itself`, "delete one of these profile: lines"),
  "profiles/not-a-map": ({ name }) =>
    name === undefined
      ? say(
          "profiles is a map from names to sets of channel fields",
          "write profiles: {announcement: {privacy: public}}",
        )
      : say(`the profile ${q(name)} is not a map of channel fields`, "write fields below it, such as privacy: public"),
  "profiles/not-a-name": () =>
    say("profile is the name of a profile, or a list of names", "write profile: announcement"),
  "profiles/own-field": ({ field }) =>
    say(`${field} belongs to one channel and cannot be in a profile`, "write it in the channel"),
  "profiles/too-deep": ({ most, listed }) =>
    listed !== undefined
      ? say(
          `${listed.toLocaleString("en")} profiles are named here, and at most ${most} are joined`,
          "name fewer, or put their common fields into one",
        )
      : say(
          `more than ${most} profiles build on each other in a row`,
          "name several profiles in a list instead: profile: [one, other]",
        ),
  "profiles/unknown": ({ name, meant: near, known }) =>
    say(
      `there is no profile ${q(name)}`,
      didYouMean(near, known.length === 0 ? "declare it under profiles:" : `profiles: ${listOf(known)}`),
    ),
  "profiles/unused": ({ name }) =>
    say(`nothing uses the profile ${q(name)}`, "delete it, or write profile: in a channel"),
  "defaults/not-a-map": ({ found, many }) =>
    many === undefined
      ? say(
          `defaults is a map from sections to fields, not ${foundText(found)}`,
          "write defaults: {channels: {privacy: public}}",
        )
      : say(
          `the defaults of ${many} are a map of fields, not ${foundText(found)}`,
          "write fields below it, or delete the line",
        ),
  "defaults/own-field": ({ field, noun }) =>
    say(
      `each ${noun} has its own ${field}, so it cannot have a default`,
      field === "profile" ? "write profile: in the channels" : `write it in the ${noun}`,
    ),
  "defaults/section": ({ section, many, is_one, meant: word, holder, sections }) =>
    is_one === true
      ? say(`${bare(section)} exists once, so it has no defaults`, `write the values under ${bare(section)}: itself`)
      : say(
          many === undefined ? `there is no section ${q(section)}` : `${many} have no fields, so no defaults`,
          holder === undefined
            ? meant(word, `sections with fields: ${listNames(sections, 20)}`)
            : `it is a field of ${holder}: write ${bare(section)} below ${holder}:, indented further`,
        ),
};
