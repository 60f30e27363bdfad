import { expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";

const ADMIN = "ben@acme.example";
const MEMBER = "dmitri@acme.example";
const opened: Overlay["settings"] = {
  can_create_groups: 14,
  can_manage_all_groups: 14,
  can_create_public_channel_group: 14,
  can_invite_users_group: 14,
};

/** A realm as an account sees it if these people hide their addresses. */
function hiding(live: Snapshot, hidden: readonly string[]): Snapshot {
  return {
    ...live,
    users: live.users.map((user) =>
      user.delivery_email !== null && hidden.includes(user.delivery_email)
        ? { ...user, delivery_email: null, email: `user${user.user_id}@chat.example.org` }
        : user,
    ),
  };
}

test.each<{
  what: string;
  account: string;
  yaml: string;
  overlay?: Overlay;
  hidden?: readonly string[];
  warns: readonly string[];
}>([
  {
    what: "an administrator creates a channel",
    account: ADMIN,
    yaml: "channels: {fresh: {}}\n",
    warns: [],
  },
  {
    what: "a member creates channels",
    account: MEMBER,
    yaml: "channels: {fresh: {}, fresher: {}}\n",
    warns: [
      'channels/unseen-names: {"account":{"user_id":9,"full_name":"Dmitri Volkov","email":"dmitri@acme.example"},"names":[{"quoted":"fresh","of":"channel"},{"quoted":"fresher","of":"channel"}]}',
    ],
  },
  {
    what: "a member changes a channel, but not its name",
    account: MEMBER,
    overlay: { channels: [{ name: "old", can_administer_channel_group: 14 }] },
    yaml: "channels: {old: {description: New}}\n",
    warns: [],
  },
  {
    what: "a member renames a channel",
    account: MEMBER,
    overlay: { channels: [{ name: "old", can_administer_channel_group: 14 }] },
    yaml: "channels: {new: {was: old}}\n",
    warns: ["channels/unseen-names"],
  },
  {
    what: "a member deactivates a group",
    account: MEMBER,
    yaml: "user_groups: {leads: {deactivated: true}, engineering: {subgroups: []}}\n",
    warns: ["user_groups/unseen-uses"],
  },
  {
    what: "an administrator deactivates a group",
    account: ADMIN,
    yaml: "user_groups: {leads: {deactivated: true}, engineering: {subgroups: []}}\n",
    warns: [],
  },
  {
    what: "somebody is invited, and everybody's address is visible",
    account: MEMBER,
    overlay: { invites: [] },
    yaml: "invites: [{emails: [lin@b.example], send_until: 2026-11-24}]\n",
    warns: [],
  },
  {
    what: "somebody is invited who may already have an account",
    account: ADMIN,
    overlay: { invites: [] },
    hidden: ["farah@acme.example", "hana@acme.example"],
    yaml: "invites: [{emails: [lin@b.example, farah@acme.example], send_until: 2026-11-24}]\n",
    warns: ["invites/hidden-addresses"],
  },
  {
    what: "nobody is invited, whatever is hidden",
    account: ADMIN,
    overlay: { invites: [{ email: "lin@b.example" }] },
    hidden: ["farah@acme.example"],
    yaml: "invites: [{emails: [lin@b.example], send_until: 2026-11-24}]\n",
    warns: [],
  },
])("$what", async ({ account, yaml, overlay = {}, hidden = [], warns }) => {
  const live = realmOf({ settings: opened, ...overlay, account });
  const plan = await planText(`version: 1\n${yaml}`, hiding(live, hidden));
  const said = plan.ok ? plan.warnings : plan.diagnostics;
  expect(plan.ok, JSON.stringify(said)).toBe(true);
  const found = said.map(({ code, fact, severity, at }) => {
    expect(severity).toBe("warning");
    expect(at).toBeDefined();
    return `${code}: ${JSON.stringify(fact)}`;
  });
  expect(found).toHaveLength(warns.length);
  for (const [index, text] of warns.entries()) expect(found[index]).toContain(text);
});
