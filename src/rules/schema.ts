import * as z from "zod";
import { ROLE_WORDS } from "../model/roles.ts";

/** The version of the format of rules. */
const RULES_VERSION = 1;

const name = z.string().min(1);
const OneOrMore = z.union([name, z.array(name).min(1)]);

/** Channels (`lobby`, `#customer-*`, `channel:lobby`), groups (`user_group:staff`) or `organization`; `*` is every channel. */
const Objects = OneOrMore.describe(
  "Channels by name (`*` any text, `?` one character), `user_group:NAME` for groups, `organization` for the whole.",
);
/** Groups by name, roles as `role:moderators`, people by address. */
const Names = OneOrMore.describe("Groups by name, roles as `role:moderators`, people by address.");
export type OneOrMore = z.infer<typeof OneOrMore>;

const Who = z
  .union([
    name,
    z.strictObject({
      role: z.enum(ROLE_WORDS).describe("Everybody of exactly this role."),
      groups: z.array(name).optional().describe("… who is in all of these groups."),
    }),
    z.array(name).min(1),
  ])
  .describe("Whom the rule is about: a role, a group, people by address.");
export type Who = z.infer<typeof Who>;

const RightsOnObjects = z
  .record(z.string(), Objects)
  .describe("Right in plain words (`read`, `post`, `administer`, …) or the API's → objects.");

export const Expectation = z
  .strictObject({
    exactly: Names.optional().describe("These have the right, and nobody else."),
    allow: Names.optional().describe("Each of these has the right."),
    deny: Names.optional().describe("None of these has the right."),
    only: Names.optional().describe("Nobody but these has the right; not all of them need to."),
    at_least: z.int().min(0).optional().describe("So many people have the right."),
    at_most: z.int().min(0).optional().describe("No more people than this have the right."),
  })
  .describe("Who has a right; several must all hold.");
export type Expectation = z.infer<typeof Expectation>;

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const FieldExpectation = z
  .strictObject({
    is: z
      .union([Value, z.array(Value).min(1)])
      .optional()
      .describe("One of these; in texts `*` is any text."),
    not: z
      .union([Value, z.array(Value).min(1)])
      .optional()
      .describe("None of these."),
    has: z
      .enum(["group", "person"])
      .optional()
      .describe("A setting that names a group (not role:nobody), or a person."),
  })
  .describe("What a field of realm.yaml has to be.");
export type FieldExpectation = z.infer<typeof FieldExpectation>;

export const Rule = z
  .strictObject({
    name: name.describe("What the rule says, as a sentence."),
    who: Who.optional(),
    can: RightsOnObjects.optional().describe("What they can do, on which objects."),
    cannot: RightsOnObjects.optional().describe("What they cannot do, on which objects."),
    except: Objects.optional().describe("Objects that can: or cannot: does not mean."),
    objects: Objects.optional(),
    privacy: OneOrMore.optional().describe("Only channels of this privacy, such as `private_*`."),
    rights: z.record(z.string(), Expectation).optional().describe("Right → who has it."),
    fields: z.record(z.string(), FieldExpectation).optional().describe("Field → what it has to be."),
    bots: z.boolean().optional().describe("`true`: bots count as people."),
  })
  .describe("One rule: of people (who, can, cannot) or of objects (objects, rights, fields).");
export type Rule = z.infer<typeof Rule>;

export const RulesFile = z.strictObject({
  version: z.literal(RULES_VERSION).describe("The version of this format."),
  tests: z.array(Rule).min(1).describe("The rules."),
});

export const listOf = (value: OneOrMore | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** Whether a name is an address or `user:17`, which are the names of single people. */
export const isAddress = (name: string): boolean => /.@/.test(name) || /^user:\d+$/.test(name);

/** Whether the file alone shows that the exceptions cover all patterns. */
export const isAllExcepted = (patterns: readonly string[], except: readonly string[]): boolean =>
  except.includes("*") || (except.length > 0 && patterns.every((pattern) => except.includes(pattern)));
