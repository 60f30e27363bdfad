import { ROLE } from "../../../src/model/roles.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import type { Overlay } from "../../support/realm.ts";

/**
 * A refusal of a server that a plan can meet: planned on one reading, rehearsed on another, which somebody changed. If no plan is made, or `apply`
 * reads again and does not send the call, the server is not asked; `by` says who refuses.
 */
export interface Refusal {
  readonly what: string;
  readonly before?: Overlay;
  readonly after?: Overlay;
  readonly edit?: (snapshot: Snapshot) => Snapshot;
  readonly yaml: string;
  /** The server's words, as recorded; otherwise what is found before the server is asked. */
  readonly says: string;
  readonly by: "server" | "apply" | "planner";
}

/** The account that applies has another role by then. */
export const actsAs =
  (role: keyof typeof ROLE) =>
  (snapshot: Snapshot): Snapshot =>
    withRole(snapshot, snapshot.account.user_id, role);
export const member = actsAs("member");
export const administrator = actsAs("administrator");
export const guest = actsAs("guest");

const GROUP_OF = {
  owner: "role:owners",
  administrator: "role:administrators",
  moderator: "role:moderators",
  member: "role:fullmembers",
  guest: "role:everyone",
} as const;
export const withRole = (snapshot: Snapshot, id: number, role: keyof typeof ROLE): Snapshot => ({
  ...snapshot,
  users: snapshot.users.map((user) => (user.user_id === id ? { ...user, role: ROLE[role] } : user)),
  user_groups: snapshot.user_groups.map((group) => ({
    ...group,
    members: [
      ...group.members.filter((other) => other !== id || !group.is_system_group),
      ...(group.name === GROUP_OF[role] || (role === "member" && group.name === "role:members") ? [id] : []),
    ],
  })),
});
type Account = Snapshot["users"][number];
/** Something about an account has changed by then. */
export const account =
  (id: number, other: Partial<Account>) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    users: snapshot.users.map((user) => (user.user_id === id ? { ...user, ...other } : user)),
  });
export const setting =
  (name: string, value: Snapshot["settings"][string]) =>
  (snapshot: Snapshot): Snapshot => ({ ...snapshot, settings: { ...snapshot.settings, [name]: value } });
export const NOBODY = 9;
export const deactivated =
  (name: string) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    user_groups: snapshot.user_groups.map((group) => (group.name === name ? { ...group, deactivated: true } : group)),
  });

export const G: Overlay = { channels: [{ name: "general" }], subscribers: { general: ["ada@acme.example"] } };
export const CREW: Overlay = { ...G, user_groups: [{ name: "crew" }] };
