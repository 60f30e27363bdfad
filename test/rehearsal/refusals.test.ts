import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { ROLE } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { planRealm } from "../../src/workflow/workflow.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

/**
 * What a server refuses and a plan can meet: planned on one reading, rehearsed on another, which somebody changed. Where the plan is not
 * made, or `apply` looks again and does not send the call, the server is not asked: then `by` says who refuses.
 */
interface Refusal {
  readonly what: string;
  readonly before?: Overlay;
  readonly after?: Overlay;
  readonly edit?: (snapshot: Snapshot) => Snapshot;
  readonly yaml: string;
  /** The server's words, as recorded; else what is found before it is asked. */
  readonly says: string;
  readonly by: "server" | "apply" | "planner";
}

const member = (snapshot: Snapshot): Snapshot => {
  const { user_id } = snapshot.account;
  return {
    ...snapshot,
    users: snapshot.users.map((user) => (user.user_id === user_id ? { ...user, role: ROLE.member } : user)),
    user_groups: snapshot.user_groups.map((group) => ({
      ...group,
      members: [
        ...group.members.filter((id) => id !== user_id || !group.is_system_group),
        ...(group.name === "role:members" ? [user_id] : []),
      ],
    })),
  };
};
const deactivated =
  (name: string) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    user_groups: snapshot.user_groups.map((group) => (group.name === name ? { ...group, deactivated: true } : group)),
  });

const G: Overlay = { channels: [{ name: "general" }], subscribers: { general: ["ada@acme.example"] } };
const CREW: Overlay = { ...G, user_groups: [{ name: "crew" }] };
const LINKIFIER = "linkifiers: [{pattern: 'x(?P<n>[0-9]+)', url_template: 'https://acme.example/{n}'}]";

const REFUSALS: readonly Refusal[] = [
  {
    what: "a group that a channel's permission names",
    by: "server",
    before: CREW,
    after: { ...CREW, channels: [{ name: "general", can_send_message_group: 30 }] },
    yaml: "user_groups: {crew: {deactivated: true}}",
    says: "Cannot deactivate user group in use.",
  },
  {
    what: "a group that another one has",
    by: "planner",
    yaml: "user_groups: {leads: {deactivated: true}}",
    says: "user_groups/in-use",
  },
  {
    what: "a permission for a group that was deactivated",
    by: "server",
    before: G,
    edit: deactivated("leads"),
    yaml: "channels: {general: {permissions: {can_send_message_group: leads}}}",
    says: "User group is deactivated.",
  },
  {
    what: "a permission for a group that is deactivated",
    by: "planner",
    before: G,
    yaml: "channels: {general: {permissions: {can_send_message_group: retired}}}",
    says: "reference/deactivated-group",
  },
  {
    what: "a channel's new name is taken",
    by: "apply",
    before: G,
    after: { channels: [{ name: "general" }, { name: "news" }] },
    yaml: "channels: {news: {was: general}}",
    says: "changed",
  },
  {
    what: "a group's name is taken",
    by: "apply",
    before: CREW,
    after: { user_groups: [{ name: "staff" }, { name: "team" }] },
    yaml: "user_groups: {team: {was: crew}}",
    says: "changed",
  },
  {
    what: "the right to administer a channel",
    by: "server",
    before: G,
    edit: member,
    after: { ...G, channels: [{ name: "general", can_administer_channel_group: 32 }] },
    yaml: "channels: {general: {archived: true}}",
    says: "You do not have permission to administer this channel.",
  },
  {
    what: "the right to manage groups",
    by: "server",
    edit: member,
    yaml: "user_groups: {leads: {description: x}}",
    says: "Insufficient permission",
  },
  {
    what: "the right to change linkifiers",
    by: "server",
    edit: member,
    yaml: LINKIFIER,
    says: "Must be an organization administrator",
  },
  {
    what: "the right to change default channels",
    by: "server",
    before: G,
    edit: member,
    yaml: "default_channels: [general]",
    says: "Must be an organization administrator",
  },
  {
    what: "the right to change domains",
    by: "server",
    edit: member,
    yaml: "domains: {acme.example: {}}",
    says: "Must be an organization owner",
  },
  {
    what: "the right to make folders",
    by: "server",
    edit: member,
    yaml: "channel_folders: {Work: {}}",
    says: "Must be an organization administrator",
  },
  {
    what: "web-public channels were turned off",
    by: "server",
    before: { ...G, settings: { enable_spectator_access: true } },
    after: { ...G, settings: { enable_spectator_access: false } },
    yaml: "channels: {general: {privacy: web_public}}",
    says: "Web-public channels are not enabled.",
  },
  {
    what: "a channel that became a default one",
    by: "server",
    before: G,
    after: { ...G, default_channels: ["general"] },
    yaml: "channels: {general: {privacy: private_shared_history}}",
    says: "A default channel cannot be private.",
  },
  {
    what: "a default channel that became private",
    by: "server",
    before: G,
    after: { ...G, channels: [{ name: "general", invite_only: true }] },
    yaml: "default_channels: [general]",
    says: "Private channels cannot be made default.",
  },
  {
    what: "a folder that got a channel",
    by: "server",
    before: { ...G, channel_folders: [{ name: "Team" }] },
    after: { channels: [{ name: "general", folder_id: 1 }], channel_folders: [{ name: "Team" }] },
    yaml: "channel_folders: {Team: {archived: true}}",
    says: "You need to remove all the channels from this folder to archive it.",
  },
];

test.each(REFUSALS)(
  "$what ($by): $says",
  async ({ by, before = {}, after = before, edit = (same) => same, yaml, says }) => {
    const found = await planRealm({
      file: "realm.yaml",
      readFile: async () => `version: 1\n${yaml}\n`,
      reader: { snapshot: async () => realmOf({ subscribers: {}, ...before }) },
    });
    if (by === "planner") {
      expect(found.ok ? [] : found.diagnostics.map(({ code }) => code)).toEqual([says]);
      return;
    }
    const { plan, planAgain } = must(found);
    const reads = { invites: false, subscribers: true };
    const snapshot = edit(realmOf({ subscribers: {}, ...after }));
    const { failed, succeeded } = await rehearse({ plan, snapshot, reads, kinds, planAgain });
    expect(failed?.said.quoted ?? "it succeeds").toContain(says);
    expect(plan.calls.find(({ n }) => n === failed?.n)?.operation).toBe(failed?.operation);
    expect(succeeded).toBeLessThan(plan.calls.length);
  },
);
