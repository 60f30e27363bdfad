import { expect, test } from "vitest";
import { change, field, planOf } from "../../test/support/apply/toy.ts";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/plan.ts";
import { LiveObjects } from "./goals.ts";
import { idsOfNames } from "./renamed-since.ts";

/** Objects of a test realm get consecutive ids. */
const [FIRST_GROUP, FIRST_CHANNEL] = [30, 101];

const realmWith = (groups: readonly string[], sender: number) =>
  realmOf({
    user_groups: groups.map((name) => ({ name })),
    channels: [{ name: "hall", can_send_message_group: FIRST_GROUP + sender }],
  });

function changeOf(before: string, after: string): Change {
  const { risks, ...rest } = change("hall", FIRST_CHANNEL, field("can_send_message_group", before, after));
  return { ...rest, kind: "channel", address: "channel:hall", risks };
}

test("the ids of names in old and new values are noted, and those of changed objects are in the changes", () => {
  const objects = new LiveObjects(kinds, realmWith(["alpha", "beta"], 0));
  const group: Change = {
    ...changeOf("", ""),
    kind: "user_group",
    address: "user_group:beta",
    name: "beta",
    fields: [],
  };
  const ids = (...changes: readonly Change[]) => idsOfNames(planOf(changes, []), kinds, objects);
  expect(ids(changeOf("alpha", "beta"))).toEqual({ "user_group:alpha": 30, "user_group:beta": 31 });
  expect(ids(changeOf("alpha", "beta"), group)).toEqual({ "user_group:alpha": 30 });
  expect(ids(changeOf("alpha", "no such group"))).toEqual({ "user_group:alpha": 30 });
});
