import { cases } from "../cases.ts";
import { commandLine } from "../command-line.ts";
import { isWordForKey, KEY_IN_FILE } from "../secrets.ts";
import { valueText as asInFile } from "../value-text.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { besidesText, pathWay } from "./fields.ts";
import { fileOfWords, type OtherFile } from "./syntax.ts";
import type { FoundValue, Quoted, Word } from "./values.ts";
import { bare, didYouMean, foundText, listOf, q, say, writtenText } from "./words.ts";

type UnknownSectionFact = {
  readonly name: Quoted;
  readonly meant?: Word;
  /** The empty section directly above. */
  readonly above?: Word;
  /** What the key holds: anchors for the rest of the file, a field of a section, or rules about access. */
  readonly holds?:
    | "anchors"
    | "renames"
    | "everything"
    | { readonly line: Quoted }
    | { readonly belongs_under: readonly Word[] }
    /** `channels.general`: a path, as other programs write it. */
    | { readonly path: readonly Quoted[] }
    /** In the file of an organization, or in one of rules, which was named in its place. */
    | { readonly rules: "besides" }
    | { readonly rules: "alone"; readonly file: Word }
    | { readonly file_of: OtherFile }
    /** No key of the file is known. */
    | { readonly unknown_keys: readonly Quoted[] };
  readonly sections: readonly Word[];
};

const meant = (word: string | undefined, otherwise: string): string =>
  word === undefined ? otherwise : `did you mean ${JSON.stringify(word)}?`;

function heldText(name: string, holds: UnknownSectionFact["holds"]): string | undefined {
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

/** Errors in the parts of a file that are not objects (its head, policies, profiles, defaults, variables), and in the form of fields. */
export const config = {
  "config/contradiction": diagnostic<{ absent: boolean; field: Word }>({
    says: ({ absent, field }) => `absent: ${absent} and ${field}: ${!absent} contradict each other`,
    help: ({ field }) => `keep one: ${field}: true to remove it, ${field}: false to keep it`,
    means: "`absent` and `archived` (or `deactivated`) of one object contradict each other.",
    out: "Keep one of them.",
  }),
  "config/declared-twice": diagnostic<{
    noun: Word;
    name: Quoted;
    other: Quoted;
    /** The fields by which the server tells such objects apart, if they have no name. */
    known_by?: readonly Word[];
    /** Of texts in a list of names: a warning, since it changes nothing. */
    in_list?: true;
  }>({
    says: ({ noun, name, other, known_by, in_list }) =>
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
    means:
      "Two entries are the same object to the server: it compares the names of channels and folders without case, and those of domains in lower case.",
    out: "Keep one of the two; the note shows the first.",
  }),
  "config/exact-without-section": diagnostic<{ section: Word; is_one: boolean }>({
    says: ({ section }) => `manage says exact for ${section}, but the file has no ${section}`,
    help: ({ section, is_one }) =>
      `delete the line to leave ${section} alone, or add the section (an empty one ${is_one ? "sets every field to the server's default" : "removes all of them"})`,
    means:
      "`manage` says `exact` for a section that the file does not have. That may mean that all objects should be removed, or somebody forgot to delete the line.",
    out: "Delete the line to leave the section alone, or add the section. An empty section removes all its objects.",
  }),
  /** @property line `manage:` as it was probably meant */
  "config/policy": diagnostic<{ found: FoundValue; where: "manage" | "section"; meant?: Word; line?: Quoted }>({
    says: ({ found, where, meant: word, line }) =>
      where === "manage"
        ? say(
            "manage is a map from sections to policies",
            `write ${line === undefined ? "manage: {channels: additive}" : bare(line)}`,
          )
        : say(
            `${found.is === "nothing" ? "an empty value" : writtenText(found)} is not a policy`,
            meant(word, "policies: ignore, additive (what is not in the file is left alone), exact (it is removed)"),
          ),
    means:
      "`manage` maps sections (or `default`, for those without a policy of their own) to `ignore`, `additive` or `exact`, or to a map with one of these as `policy`; this is something else.",
    out: "Choose one of the three. Sections that are not named are additive, or what `default` says.",
  }),
  "config/realm": diagnostic({
    says: cases("cause", {
      "no-url": ({ host }: { host?: Quoted }) =>
        say(
          "realm is the URL of an organization",
          host === undefined ? "write it like https://chat.example.org" : `write https://${bare(host)}`,
        ),
      credentials: say(
        "credentials do not belong in the file",
        "delete them from the URL; keys come from ZULIP_* variables or a zuliprc",
      ),
      path: ({ origin }: { origin: Word }) =>
        say("realm is the URL of an organization, without a path", `write ${origin}`),
    }),
    means: "`realm` is not the URL of an organization: it has no scheme, a path, or credentials in it.",
    out: "Write it like `https://chat.example.org`. Credentials come from the environment or a zuliprc, never from this file.",
  }),
  "config/renamed-twice": diagnostic<{ noun: Word; was: Quoted }>({
    says: ({ noun, was }) => `two objects of the file say that they were the ${noun} ${q(was)}`,
    help: "keep one of the two",
    means: "Two objects of the file have the same `was`.",
    out: "Keep `was` in the object that is renamed.",
  }),
  "config/same-id": diagnostic<{ noun: Word; id: number }>({
    says: ({ noun, id }) => `two objects of the file are the ${noun} with the id ${id}`,
    help: "keep one of the two",
    means: "Two objects of the file have the same id.",
    out: "Keep `id` in one of them.",
  }),
  /** @property is_right nothing behind its colon gives the right to nobody */
  "config/comment-as-value": diagnostic<{ field: Quoted; comment?: Quoted; is_right?: true }>({
    says: ({ field, comment, is_right }) =>
      is_right === true || comment === undefined
        ? say(
            `${bare(field)} has no value, so nobody has this right${comment === undefined ? "" : `: "${bare(comment)}" is a comment`}`,
            `write who has it, such as ${bare(field)}: role:moderators; or role:nobody, if nobody is meant; or delete the line`,
          )
        : say(
            `${bare(field)} has no value, which clears it: "${bare(comment)}" is a comment`,
            `put a text that starts with # in quotes: ${bare(field)}: ${JSON.stringify(bare(comment))}; if it is a comment, write ${bare(field)}: null # ${bare(comment).slice(1)}`,
          ),
    means:
      "What follows ` #` on a line is a comment in YAML, so `description: #eng talk` has no value, and a field without a value is cleared. People write it because channels have a `#`. A right with nothing behind its colon belongs to nobody, and is mostly a line that somebody did not finish.",
    out: "Put the text in quotes. If the field should be cleared, write `null` before the comment. Write who has the right, `role:nobody` if nobody has it, or delete the line.",
  }),
  /** @property variable the name in the template */
  /** @property in_name in the name of an entry, which cannot contain variables */
  /** @property is_refused it is all of a value or name that cannot be like this: an error */
  "config/placeholder": diagnostic<{
    text: Quoted;
    is_template: boolean;
    variable?: Quoted;
    in_name?: true;
    is_refused?: true;
  }>({
    says: ({ text, is_template, variable, in_name, is_refused }) =>
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
    means:
      "A text looks as if another program (`{{ name }}`, `%NAME%`, `$NAME`), or somebody (`TODO`, `CHANGEME`, `<name>`), should have filled it in. It is planned as it is written.",
    out: "Write the value, or declare a variable under `vars` and write `${name}`. If it is the text itself, leave it; as the value of a variable it has no warning.",
  }),
  "config/invisible-in-name": diagnostic<{ noun: Word; name: Quoted }>({
    says: ({ noun, name }) =>
      `the name of the ${noun} ${q(name)} has a character that nobody sees, or that turns the order of letters around`,
    help: "delete the character from the name",
    means:
      "The name of an object, as it is or written with an escape, has a character that nobody sees, or one that changes the order in which letters are shown. People would take it for another name.",
    out: "Delete the character from the name. If the object has this name on the server, rename it there, or with `was`.",
  }),
  /** Another name looks the same, and is another name to the server. */
  "config/same-letters": diagnostic<{
    noun: Word;
    name: Quoted;
    other: Quoted;
    where: "file" | "organization";
    /** They differ only in capital letters. */
    by_case?: true;
  }>({
    says: ({ noun, name, other, by_case }) =>
      `${q(name)} looks like the ${noun} ${q(other)}, but the server takes them for two names: they differ ${by_case === true ? "only in capital letters" : "in a letter of another script, in how a letter is encoded, or in characters that nobody sees"}`,
    help: ({ where }) =>
      where === "file"
        ? "delete one of the two, or give it a name that looks different"
        : "copy the name from the organization, or write one that looks different",
    means:
      "Two names look the same, in the file or one of them on the server: a letter is one of another script (a Cyrillic о in `tоp`), an é is one character or an e followed by an accent, or one name has a character that nobody sees. Of user groups, also names that differ only in capital letters (`Vault` beside `vault`): other names are equal to the server then. The server takes them for two names, so a plan would create a second object beside the first, or give an object a name that people take for another one's.",
    out: "Copy the name from the organization, or write it in both places in the same way. Give one of the two a name that looks different if there are to be two.",
  }),
  "config/section": diagnostic<{
    section: Word;
    many: Word;
    shape: Word;
    found: FoundValue;
    /** The first entry of a map as an entry of the list, or the other way round. */
    entry?: Quoted;
    besides?: Word;
  }>({
    says: ({ section, many, shape, found, entry, besides }) => {
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
    means: "A section has the wrong form: it must be a map of names, a list, or a map of fields.",
    out: "Write it as the hint shows. An empty section is `{}` or `[]`; a section that is left out is not managed.",
  }),
  "config/unknown-section": diagnostic<UnknownSectionFact>({
    says: ({ name, meant: word, above, holds, sections }) => {
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
    means: "There is no section with this name.",
    out: "Correct the name; [the reference](../../reference/README.md) lists all of them.",
  }),
  "config/unset": diagnostic({
    says: cases("cause", {
      key: (fact: { key: Quoted; meant?: Word }) =>
        say(`a section of manage has no ${q(fact.key)}`, meant(fact.meant, "its keys are policy, except and unset")),
      value: ({ found }: { found: FoundValue }) =>
        say(
          `unset cannot be ${found.is === "nothing" ? "empty" : writtenText(found)}`,
          "write unset: default (a field that is left out must have the value that the server gives to new objects) or unset: leave (it stays as it is)",
        ),
      except: ({ section, most }: { section: Word; most: number }) =>
        say(
          `except of ${section} is a list of names, at most ${most}`,
          `write manage: {${section}: {policy: exact, except: ['tmp-*']}}; * is any text, and ? any one character`,
        ),
      "except-of-nothing": ({ section, pattern, meant }: { section: Word; pattern: Quoted; meant?: Quoted }) =>
        say(
          `except of ${section} in manage leaves nothing out by ${q(pattern)}: nothing on the server matches it`,
          didYouMean(meant, "correct it, or delete it"),
        ),
      "no-defaults": ({ section }: { section: Word }) =>
        say(
          `${section} cannot have unset: default: their fields have no known defaults`,
          "delete it: realmctl then watches only what an item says",
        ),
      ignored: ({ section }: { section: Word }) =>
        say(
          `${section} cannot have policy: ignore and unset: default: what is ignored is not watched`,
          "delete unset, or write policy: additive",
        ),
      "except-of-none": ({ section }: { section: Word }) =>
        say(`${section} cannot have except in manage: realmctl looks only at what the file has of them`, "delete it"),
    }),
    means:
      "A section in `manage` has more than a policy, and something in it is wrong: a key other than `policy`, `except` and `unset`, an `except` that is no list of names, or that is of a section which exists once or of people, a word other than `default` and `leave`, `unset: default` for a section whose fields have no known defaults, or `unset: default` for an ignored section. A pattern of `except` that matches nothing on the server is a warning: of a name without `*`, and where the plan removes something.",
    out: "Write `manage: {channels: {policy: additive, unset: default}}`. Sections without defaults (people, invitations, emoji …) are compared only in the fields that their items have.",
  }),
  "config/version": diagnostic<{ cause: "missing" } | { cause: "other"; found: FoundValue; version: number }>({
    says: (fact) =>
      fact.cause === "missing"
        ? say("the file does not say which version of the format it has", 'start it with "version: 1"')
        : say(
            `this realmctl reads version ${fact.version} of the format, not ${writtenText(fact.found)}`,
            fact.found.is === "number" && fact.found.number > fact.version
              ? "use a newer realmctl"
              : `write version: ${fact.version}`,
          ),
    means:
      "The file does not say which version of the format it is written in, or says one that this realmctl does not read.",
    out: "Start it with `version: 1`.",
  }),
  "profiles/cycle": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `the profile ${q(name)} builds on itself`,
    help: "delete one of these profile: lines",
    means: "A profile builds on itself, directly or through others.",
    out: "Delete one of these `profile` lines.",
  }),
  "profiles/not-a-map": diagnostic<{ name?: Quoted }>({
    says: ({ name }) =>
      name === undefined
        ? say(
            "profiles is a map from names to sets of channel fields",
            "write profiles: {announcement: {privacy: public}}",
          )
        : say(
            `the profile ${q(name)} is not a map of channel fields`,
            "write fields below it, such as privacy: public",
          ),
    means: "`profiles` maps names to sets of channel fields; this is something else.",
    out: "Write `profiles: {announcement: {privacy: public}}`.",
  }),
  "profiles/not-a-name": diagnostic({
    says: "profile is the name of a profile, or a list of names",
    help: "write profile: announcement",
    means: "`profile` is the name of a profile, or a list of names.",
    out: "Write `profile: announcement`, or `profile: [announcement, quiet]`.",
  }),
  "profiles/own-field": diagnostic<{ field: Word }>({
    says: ({ field }) => `${field} belongs to one channel and cannot be in a profile`,
    help: "write it in the channel",
    means: "`id` and `was` belong to one channel, so several channels cannot share them.",
    out: "Write the field in the channel.",
  }),
  /** @property listed the number of profiles that one channel or profile names */
  "profiles/too-deep": diagnostic<{ most: number; listed?: number }>({
    says: ({ most, listed }) =>
      listed !== undefined
        ? say(
            `${listed.toLocaleString("en")} profiles are named here, and at most ${most} are joined`,
            "name fewer, or put their common fields into one",
          )
        : say(
            `more than ${most} profiles build on each other in a row`,
            "name several profiles in a list instead: profile: [one, other]",
          ),
    means: "More than fifty profiles build on each other, or are named in one list.",
    out: "Name a few in a list instead: `profile: [one, other]`.",
  }),
  "profiles/unknown": diagnostic<{ name: Quoted; meant?: Quoted; known: readonly Quoted[] }>({
    says: ({ name }) => `there is no profile ${q(name)}`,
    help: ({ meant: near, known }) =>
      didYouMean(near, known.length === 0 ? "declare it under profiles:" : `profiles: ${listOf(known)}`),
    means: "A channel uses a profile that is not declared.",
    out: "Correct the name, or declare it under `profiles`.",
  }),
  "profiles/unused": diagnostic<{ name: Quoted }>({
    says: ({ name }) => `nothing uses the profile ${q(name)}`,
    help: "delete it, or write profile: in a channel",
    means: "No channel uses this profile.",
    out: "Delete it, or use it.",
  }),
  "defaults/not-a-map": diagnostic<{ found: FoundValue; many?: Word }>({
    says: ({ found, many }) =>
      many === undefined
        ? say(
            `defaults is a map from sections to fields, not ${foundText(found)}`,
            "write defaults: {channels: {privacy: public}}",
          )
        : say(
            `the defaults of ${many} are a map of fields, not ${foundText(found)}`,
            "write fields below it, or delete the line",
          ),
    means: "`defaults` maps sections to fields; this is something else.",
    out: "Write `defaults: {channels: {privacy: public}}`.",
  }),
  "defaults/own-field": diagnostic<{ field: Word; noun: Word }>({
    says: ({ field, noun }) => `each ${noun} has its own ${field}, so it cannot have a default`,
    help: ({ field, noun }) => (field === "profile" ? "write profile: in the channels" : `write it in the ${noun}`),
    means: "A field that identifies an object, or that removes it, has no default: objects cannot share it.",
    out: "Write it in the object itself.",
  }),
  "defaults/section": diagnostic<{
    section: Quoted;
    /** The plural noun of a section whose objects have no fields that could have defaults; absent if the section does not exist. */
    many?: Word;
    /** The only section whose objects have a field of this name. */
    holder?: Word;
    /** It exists once, so its values are written in it. */
    is_one?: true;
    meant?: Word;
    sections: readonly Word[];
  }>({
    says: ({ section, many, is_one, meant: word, holder, sections }) =>
      is_one === true
        ? say(`${bare(section)} exists once, so it has no defaults`, `write the values under ${bare(section)}: itself`)
        : say(
            many === undefined ? `there is no section ${q(section)}` : `${many} have no fields, so no defaults`,
            holder === undefined
              ? meant(word, `sections with fields: ${listNames(sections, 20)}`)
              : `it is a field of ${holder}: write ${bare(section)} below ${holder}:, indented further`,
          ),
    means: "There are no defaults for a section with this name: there is no such section, or its items have no fields.",
    out: "Correct the name.",
  }),
};
