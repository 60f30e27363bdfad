import * as z from "zod";
import { type Immutable, json, mark, maybe } from "./form.ts";

const WordedRight = {
  right: z.string().describe("The API's name of the setting, or `read`, `see`."),
  word: z.string().describe("The same in plain words, as rules and `--right` take it."),
};
const Ids = z.array(z.int()).describe("User ids; `people` of the answer has who they are.");
const SettingSource = {
  via: z.literal("setting"),
  on: z.string().describe("Address of the object that has the setting, or `organization`."),
  setting: z.string(),
};
/** A source of a right, with everybody to whom it gives the right. */
const GrantForm = z
  .discriminatedUnion("via", [
    z.strictObject({ via: z.literal("subscriber"), implied: z.literal(true).exactOptional(), people: Ids }),
    z.strictObject({ via: z.literal("privacy"), privacy: z.string(), people: Ids }),
    z.strictObject({ via: z.literal("administrators"), people: Ids }),
    z.strictObject({ via: z.literal("owner"), people: Ids }),
    z
      .strictObject({
        via: z.literal("key"),
        bots: z.array(z.strictObject({ bot: z.int(), name: z.string(), owner: z.int() })),
        people: Ids,
      })
      .describe("People hold it by the keys of their bots."),
    z.strictObject({
      ...SettingSource,
      value: json().describe("The setting's value, as a file would write it."),
      implied: mark("The server gives it to the account that makes the object."),
      people: Ids,
    }),
  ])
  .describe("What gives a right to these people. Several may give it to the same person.");
const PathForm = z.discriminatedUnion("via", [
  z.strictObject({ via: z.literal("subscriber") }),
  z.strictObject({ via: z.literal("privacy"), privacy: z.string() }),
  z.strictObject({ via: z.literal("administrators") }),
  z.strictObject({ via: z.literal("owner"), owner: z.int() }),
  z.strictObject({ via: z.literal("key"), bot: z.int(), name: z.string() }),
  z.strictObject({
    ...SettingSource,
    groups: z.array(z.string()).describe("From the group that the setting names to the one that they are a member of."),
  }),
]);
const BoundForm = z
  .enum(["least", "most"])
  .nullable()
  .describe("Subscribers were not read: it may be more than these (`least`), or these at most.");
const SideForm = z.strictObject({ people: Ids, by: z.array(GrantForm) }).nullable();

const AnswerHead = {
  format: z.literal("realmctl.access"),
  version: z.literal(1),
  from: z.enum(["server", "snapshot", "file", "plan"]).describe("What was asked."),
  realm: z.string().exactOptional().describe("URL of the organization; a file alone has none."),
  snapshot_taken_at: z.string().exactOptional().describe("ISO 8601, UTC."),
  people: z.array(
    z.strictObject({
      user_id: z.int(),
      full_name: z.string(),
      email: z.string(),
      role: z.string().nullable(),
      is_bot: z.boolean(),
    }),
  ),
  exit_code: z
    .union([z.literal(0), z.literal(1)])
    .describe("1: something in the file does not resolve, and was left out."),
};

const UnlistedForm = Ids.exactOptional().describe(
  "For a private channel that the file of the plan declares: its subscribers whom the file does not list. Absent if there are none.",
);

const GroupsForm = z
  .array(z.string())
  .describe(
    "The groups that they would join, as the last step; none if the channel is archived and lets them subscribe.",
  );
const HidesForm = mark(
  "The account that reads is no administrator: private channels that it does not see are not in the answer.",
);

export type ObjectAnswer = Immutable<z.infer<typeof ObjectAnswerForm>>;
const ObjectAnswerForm = z
  .strictObject({
    ...AnswerHead,
    question: z.string().describe("Address of the object, or `organization`."),
    unlisted: UnlistedForm,
    coming: maybe(
      z.strictObject({ people: Ids, groups: GroupsForm }),
      "Of a private channel: who does not read it, and can come to. Absent if there is nobody.",
    ),
    may_administer: maybe(
      z.strictObject({ people: Ids, groups: GroupsForm }),
      "Of a channel: who does not administer it, and can come to by joining groups. Absent if there is nobody.",
    ),
    rights: z.array(
      z.strictObject({
        ...WordedRight,
        bound: BoundForm,
        needs: z.enum(["read", "reach", "see", "nothing"]).describe("What somebody needs besides whom a source names."),
        people: Ids,
        by: z.array(GrantForm),
      }),
    ),
  })
  .describe("Who holds each right on one object.");

export type PersonAnswer = Immutable<z.infer<typeof PersonAnswerForm>>;
const PersonAnswerForm = z
  .strictObject({
    ...AnswerHead,
    question: z.string().describe("The person's name."),
    hides_channels: HidesForm,
    coming: z
      .array(z.strictObject({ on: z.string(), groups: GroupsForm }))
      .describe("Private channels that they do not read, and can come to."),
    rights: z.array(
      z.strictObject({
        scope: z.string().describe("The kind of object that the right is held on, or `organization`."),
        ...WordedRight,
        may: z.array(z.strictObject({ on: z.string(), bound: BoundForm, paths: z.array(PathForm) })),
        may_not: z.array(z.string()),
      }),
    ),
  })
  .describe("What one person may do, and on what not.");

export type PlanAnswer = Immutable<z.infer<typeof PlanAnswerForm>>;
const PlanAnswerForm = z
  .strictObject({
    ...AnswerHead,
    question: z.literal("plan"),
    unlisted: UnlistedForm,
    hides_channels: HidesForm,
    unread_invitations: maybe(
      z.array(z.string()),
      "Private channels that people with invitations or links of higher roles may come to read: these were not read.",
    ),
    coming: z
      .array(
        z.strictObject({
          on: z.string(),
          people: Ids,
          groups: GroupsForm,
          newcomers: z
            .array(z.enum(["guest", "member", "full_member", "moderator", "administrator", "owner"]))
            .describe("Who joins the organization later with this role; `full_member`: after the waiting period."),
        }),
      )
      .describe(
        "Channels that people can come to read after the plan by joining groups or the organization, and could not before.",
      ),
    history: z
      .array(z.strictObject({ on: z.string(), people: Ids }))
      .describe(
        "Channels of which these people read what was written before they were subscribed, and did not before the plan.",
      ),
    reports: mark(
      "More people come to read the messages that moderators get as reports, also those of private channels.",
    ),
    web: z.array(z.strictObject({ on: z.string(), opens: z.boolean() })),
    invitations: z
      .array(
        z.strictObject({
          name: z.string().describe("The address; what a link is called."),
          by: z.enum(["mail", "link"]),
          revoked: z.boolean().describe("The plan revokes it."),
          was_open: mark("It is in the file and open already: the plan leaves it as it is, and opens channels to it."),
          invite_as: z.string(),
          channels: z.array(z.string()).describe("Channels that they are subscribed to, besides the default channels."),
          groups: z.array(z.string()),
          reads: z.array(z.string()).describe("Private channels that people who join by it can read."),
        }),
      )
      .describe("People without an account whom the plan invites, or no longer does."),
    shifts: z.array(
      z.strictObject({
        on: z.string(),
        ...WordedRight,
        is_new: z.boolean().describe("The plan makes the object."),
        at_most: z.boolean(),
        gained: SideForm,
        lost: SideForm,
      }),
    ),
  })
  .describe("Who gains and who loses what by a plan.");

/** `realmctl access --format json`: about an object, about a person, or about the changes of a plan. */
export const AccessForm = z.union([ObjectAnswerForm, PersonAnswerForm, PlanAnswerForm]);
