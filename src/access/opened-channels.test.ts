import { expect, test } from "vitest";
import { hall, strictState } from "../../test/support/strict-organization.ts";
import type { GroupValue } from "../model/realm.ts";
import { AccessDifference } from "./difference.ts";
import { openedIn } from "./opened-channels.ts";
import type { AccessChannel, AccessState } from "./state.ts";

/** A private channel that admits these groups. */
function vault(name: string, groups: readonly string[], is: Partial<AccessChannel> = {}): AccessChannel {
  const settings = new Map<string, GroupValue>([["can_subscribe_group", { groups, users: [] }]]);
  return { ...hall({}), name, privacy: "private_shared_history", settings, ...is };
}
function stateWith(channels: readonly AccessChannel[], over: AccessState = strictState): AccessState {
  const state = over.copy();
  for (const channel of channels) state.put(channel);
  return state;
}
const before = stateWith([
  vault("c", ["crew", "staff"]),
  vault("a", ["crew"]),
  vault("b", ["leads"]),
  vault("opens", ["crew"]),
  vault("closes", ["crew"], { privacy: "public" }),
  vault("ends", ["crew"]),
  vault("returns", ["crew"], { archived: true }),
  vault("changes", ["crew"]),
]);
const after = stateWith(
  [
    vault("opens", ["crew"], { privacy: "public" }),
    vault("closes", ["crew"]),
    vault("ends", ["crew"], { archived: true }),
    vault("returns", ["crew"]),
    vault("changes", ["staff"]),
    vault("new", ["crew"]),
  ],
  before,
);
const opened = () => openedIn(new AccessDifference(before, after));

test.each([
  { side: "before", groups: ["crew"], channels: ["c", "a", "ends", "changes"] },
  { side: "before", groups: ["leads"], channels: ["b"] },
  { side: "before", groups: ["leads", "staff"], channels: ["c", "b"] },
  { side: "before", groups: ["unknown"], channels: [] },
  { side: "after", groups: ["crew"], channels: ["c", "a", "closes", "ends", "returns", "new"] },
  { side: "after", groups: ["staff"], channels: ["c", "changes"] },
  { side: "existing", groups: ["crew"], channels: ["c", "a", "closes", "ends", "returns"] },
  { side: "existing", groups: ["staff"], channels: ["c", "changes"] },
] as const)("$side the plan, the private channels that $groups open are $channels", ({ side, groups, channels }) =>
  expect(opened()[side].of(groups)).toEqual(channels),
);

test("channels by their names are in the same order, each once, and public ones are left out", () => {
  const { existing } = opened();
  expect(existing.named(["b", "opens", "c", "b", "unknown", "new"])).toEqual(["c", "b"]);
  expect(existing.named(["a"])).toEqual(["a"]);
});
