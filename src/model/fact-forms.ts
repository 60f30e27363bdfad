import * as z from "zod";
import { COUNTED } from "./counted.ts";
import { ROLE_WORDS } from "./roles.ts";

/**
 * The findings of risks and guard rails, as data: objects, settings and numbers. `src/report/words/` makes sentences of them. Outputs for many
 * readers replace names in the data, so no sentence has to be searched for names.
 */
export const NamedForm = z
  .strictObject({
    address: z.templateLiteral([z.string(), ":", z.string()]),
    name: z.string(),
    was: z.string().optional().describe("Its name before, when it is renamed."),
  })
  .describe("An object, as sentences call it.");
export type Named = Readonly<z.infer<typeof NamedForm>>;
const Named = NamedForm;

/** A person by id: redaction shows only the number. */
const Person = z.strictObject({ user_id: z.int(), full_name: z.string().optional() });

/** A word of realmctl, of the API or of the format. A text that people wrote is {@link Quoted} instead, since redaction does not search words. */
const word = z.string();
const Quoted = z
  .strictObject({ quoted: z.string() })
  .describe("A text that somebody wrote, in a file or on the server.");
/** A pattern of names in a guard rail. */
const pattern = z.string();

/** A field that is true or absent. */
const mark = (what: string) => z.literal(true).optional().describe(what);
const list = <Form extends z.ZodType>(of: Form) => z.array(of).readonly();

const shift = z.enum(["gained", "lost"]);
const people = z.int();
const newcomers = z
  .array(z.enum(["guest", "member", "full_member", "moderator", "administrator", "owner"]))
  .readonly()
  .optional()
  .describe(
    "Who also gains it among those who join later: guests, members, members after the waiting period, or who accepts an open invitation with that role.",
  );
const uninvited = mark("Nobody needs an invitation to join.");
const openedChannels = list(Named).optional().describe("Private channels that the owner can then read through it.");
const atMost = z.boolean().describe("More than this is not possible; what is certain is not known.");

const Role = z.enum(ROLE_WORDS);
/** What a risk or a guard rail finds: a word for it, and its facts. */
const about = <Kind extends string, Facts extends z.core.$ZodLooseShape = object>(kind: Kind, facts: Facts) =>
  z.strictObject({ kind: z.literal(kind), ...facts });

const Reach = z
  .strictObject({
    channels: list(Named).describe("Channels that they can read, the first of them."),
    more_channels: z.int(),
    organization: list(word).describe("Permission settings of the organization."),
    settings: z.int().describe("How many permission settings of channels and groups."),
  })
  .describe("What somebody comes to, or no longer does.");
const valuesLost = z.int().nullable().describe("People who have such a value; null: the reading does not say.");

export const RiskFact = z.discriminatedUnion("kind", [
  about("open-to-web", { object: Named, is_new: z.boolean() }),
  about("closed-to-web", { object: Named }),
  about("readers", { object: Named, shift, people, at_most: atMost, newcomers }),
  about("history-opened", { object: Named }),
  about("private-name", { object: Named, before: Named }).describe(
    "A public channel takes the name that a private one has before the plan.",
  ),
  about("right", { object: Named, setting: word, shift, people, at_most: atMost }),
  about("archived", {
    object: Named,
    cleared: list(word).describe("Settings of the organization that no longer name it."),
    ends_default: mark("It is no longer a default channel, although no change of the plan says so."),
  }),
  about("deactivated", { object: Named }),
  about("reactivated", { object: Named }),
  about("members", {
    object: Named,
    shift,
    people,
    channels: list(Named).describe("Private channels that its members can read."),
  }),
  about("may-join-into", {
    object: Named,
    people,
    newcomers,
    groups: list(Named).describe("Groups that they can put themselves into."),
    channels: list(Named).describe("Private channels that the members of these groups can read."),
  }),
  about("may-administer", {
    object: Named,
    people,
    groups: list(Named).describe("Groups that they can put themselves into."),
    channels: list(Named).describe("Channels that the members of these groups administer."),
  }),
  about("list-is-exact", { object: Named, people, bots: z.int() }).describe(
    "Subscribers of a private channel who are not in its list, which does not say whether it is exact.",
  ),
  about("notified", { object: Named, people }),
  about("messages-deleted", { object: Named, days: z.number() }),
  about("account-locked-out", {
    object: Named,
    account: Person,
    from: z.enum(["reading", "administering", "managing"]),
  }),
  about("may-join", {
    object: Named,
    who: z.enum(["domain", "domain-and-subdomains", "subdomains"]),
    shift,
    uninvited,
  }),
  about("joining", {
    invited: z.boolean().describe("Only those who are invited may join."),
    domains: z.boolean().describe("Only with an address of an allowed domain."),
    shift,
  }),
  about("organization-right", { setting: word, shift, people, newcomers }),
  about("sign-in", { method: word, shift }),
  about("messages-deleted-everywhere", { days: z.number() }),
  about("opened", {
    what: z.enum([
      "web",
      "directory",
      "disposable-addresses",
      "messages-in-emails",
      "messages-on-phones",
      "edit-history",
      "previews",
      "waiting-period",
      "reports",
    ]),
  }),
  about("addresses-of-new-people", { to: z.enum(["everyone", "members", "moderators", "administrators", "nobody"]) }),
  about("digest-emails", { people }),
  about("phones-silent", {}).describe("Apps that cannot read encrypted notifications get none any more."),
  about("picture-replaced", { picture: word }),
  about("picture-removed", { picture: word }),
  about("restriction-lifted", { uninvited }),
  about("restriction-stays-lifted", {}),
  about("invitation-revoked", {
    object: Named,
    terms: z.array(z.strictObject({ role: word, by: Person.optional() })).readonly(),
  }),
  about("invited-as", { object: Named, role: word }),
  about("invited-into", {
    object: Named,
    channels: list(Named).describe("Private channels that people who join by it can read."),
    administers: list(Named).optional().describe("Channels that they can administer."),
    open_as: word.optional().describe("It is open already, and the file declares it: the role that it gives."),
  }),
  about("invited-again", { object: Named }),
  about("role", { object: Named, from: Role, to: Role, gained: Reach, lost: Reach }),
  about("account-deactivated", {
    object: Named,
    from: Role.describe("The role that the account has."),
    bots: list(Named).describe("Their bots, which are deactivated with them."),
    invitations: z.int().nullable().describe("Open ones of theirs, which are revoked; null: not read."),
    links: z.int().nullable().describe("The same for invitation links."),
    channels: z.int().nullable().describe("Channels that they are subscribed to; null: not read."),
    is_bot: z.literal(true).optional(),
  }),
  about("account-reactivated", {
    object: Named,
    role: Role,
    is_bot: z.literal(true).optional(),
    by_undo: mark("No list of a file is applied with it."),
  }),
  about("account-loses-role", { object: Named, account: Person, from: Role, to: Role }),
  about("bot-made", { object: Named, role: Role }),
  about("bot-address", {
    object: Named,
    addresses: z
      .strictObject({ before: Quoted, after: Quoted })
      .optional()
      .describe("Plans of older versions do not say them."),
  }).describe("A bot has another address, by which programs sign in."),
  about("bot-given", {
    object: Named,
    owner: Named.nullable(),
    former: Named.optional().describe("Who owned it before, and has its key, which stays the same."),
    channels: openedChannels,
  }),
  about("link-made", {
    object: Named,
    role: Role,
    ends: word.nullable().describe("The last day on which it can be used; null: never."),
  }),
  about("link-revoked", { object: Named, by: Person.optional() }),
  about("removed", {
    object: Named,
    noun: word.optional().describe("What the object is, in a word; plans of older versions do not say."),
  }),
  about("back-to-default", { object: Named }),
  about("emoji-removed", { object: Named, author: Person.optional() }),
  about("emoji-replaced", { object: Named, author: Person.optional() }),
  about("emoji-overrides", { object: Named }).describe("A built-in one of that name."),
  about("profile-field-removed", { object: Named, people: valuesLost }),
  about("profile-options-removed", { object: Named, options: list(Quoted), people: valuesLost }),
  about("profile-service-fixed", { object: Named, service: word }),
  about("code-language-reset", { object: Named, language: Quoted.describe("That code blocks have by default.") }),
  about("cannot-be-set-again", {
    object: Named,
    noun: word,
    field: word,
    before: Quoted.describe("The value as text."),
  }),
]);
export type RiskFact = Readonly<z.infer<typeof RiskFact>>;

const GuardAbout = z.discriminatedUnion("kind", [
  about("limit", {
    section: word.optional(),
    counted: z.enum(COUNTED),
    amount: z.int(),
    limit: z.number().nullable().describe("null: it is only counted."),
    percent: z.strictObject({ share: z.number(), of: z.int() }).optional(),
    over: Named.optional().describe("The object that exceeds the limit."),
    among: list(Named).optional().describe("Without a limit: what is counted, the first five."),
    more: z.int().optional().describe("How many more there are."),
    unseen: mark("Private channels that the account does not see may admit those who are counted."),
    unread: list(Named)
      .optional()
      .describe(
        "Channels that somebody may come to read by an invitation or link of a higher role: these were not read.",
      ),
  }),
  about("protected", {
    pattern,
    object: Named,
    action: z.enum(["create", "update", "remove", "reorder"]),
    fields: list(word),
  }),
  about("untouched", {
    patterns: z
      .array(
        z.strictObject({
          pattern,
          is_there: z.boolean(),
          meant: Quoted.optional().describe("A name on the server that is like it, if none matches."),
        }),
      )
      .readonly(),
  }),
  about("unreachable", { object: Named }),
  about("lockout", { risk: RiskFact }),
  about("nobody-locked-out", {}),
  about("owners", {
    before: z.int(),
    after: z.int().describe("People in use, no bots."),
    least: z.int(),
    over: Named.optional().describe("Who is the first too many to go."),
  }),
  about("rehearsal-refused", {
    call: z.int().describe("The first call that was not carried out."),
    of: z.int(),
    operation: word,
    object: Named.optional(),
    said: Quoted.describe("The server's own words."),
  }),
  about("rehearsal-differs", {
    changes: z.int().describe("That planning again after the last call still finds."),
    first: list(Named),
    errors: list(word).describe("Codes of errors, where it cannot be planned again."),
  }),
  about("base-unreadable", { code: word, place: word.optional() }),
]);

export const GuardFact = z.strictObject({
  about: GuardAbout,
  excused: z.enum(["allow", "policy"]).optional().describe("It would refuse, and was let through."),
  excused_by: z
    .string()
    .optional()
    .describe("The name that was given to `--allow`, if it is not the guard rail's own: a wider one that includes it."),
  asks: mark("Somebody has to be asked first: `apply --yes` alone refuses."),
  of_base: mark("Only the base of the pull request has it, in its policy or by the defaults."),
});
export type GuardAbout = Readonly<z.infer<typeof GuardAbout>>;
export type GuardFact = Readonly<z.infer<typeof GuardFact>>;

/** A stretch of one file, counted from 1 (columns in UTF-16 units); the end is exclusive. */
export type Span = Readonly<z.infer<typeof Span>>;
export const Span = z
  .strictObject({ file: z.string(), line: z.int(), column: z.int(), endLine: z.int(), endColumn: z.int() })
  .describe("A stretch of a file, counted from 1; the end is exclusive.");
