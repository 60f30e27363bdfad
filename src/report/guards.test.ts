import { expect, test } from "vitest";
import { change, MIXED_PLAN, protection } from "../../test/support/example-plans.ts";
import { commentOf } from "../../test/support/published.ts";
import type { Guard, Risk } from "../model/plan.ts";
import { wayThrough } from "./guards.ts";
import { printText } from "./layout.ts";
import { guardLines } from "./plan-risks-and-guards.ts";
import { PLAIN } from "./style.ts";

const rule = { file: "rails.yaml", line: 4, column: 3, endLine: 4, endColumn: 9 };

test.each([
  [
    "removals",
    undefined,
    "--allow removals, or write a limit of your own into the file: policy: {limits: {removals: NUMBER}}",
  ],
  ["channels.removals", rule, "--allow channels.removals, or raise the limit at rails.yaml:4"],
  ["protect:channel:a*", rule, "--allow 'protect:channel:a*', or remove it from protect at rails.yaml:4"],
  ["lockout", undefined, "--allow lockout, or write lockout: allow into the policy"],
  ["lockout", rule, "--allow lockout, or write lockout: allow at rails.yaml:4"],
])("%s", (name, at, way) => {
  expect(wayThrough({ name, ...(at === undefined ? {} : { rule: at }) })).toBe(`let it through once with ${way}`);
});

test("a guard that cannot be allowed has no advice", () => expect(wayThrough({ name: "base-policy" })).toBe(""));

test.each([
  ["reading", "subscribe the account, or name it in can_add_subscribers_group"],
  ["administering", "name the account in can_administer_channel_group"],
  ["managing", "name the account in can_manage_group"],
] as const)("a lock-out from %s first says how the account keeps its access", (from, keeps) => {
  const object = { address: "channel:ops", name: "ops" } as const;
  const risk = { kind: "account-locked-out", object, account: { user_id: 8, full_name: "Ada" }, from } as const;
  const way = wayThrough({ name: "lockout", fact: { about: { kind: "lockout", risk } } });
  expect(way).toBe(`${keeps}; else let it through once with --allow lockout, or write lockout: allow into the policy`);
});

test("the same refusal of many objects is said once, and not again as a risk", () => {
  const refused = ["a", "b c", "d", "e", "f"].map((name) => {
    const object = { address: `channel:${name}`, name } as const;
    const fact = { kind: "account-locked-out", object, account: { user_id: 8 }, from: "reading" } as const;
    const risk: Risk = { kind: "lockout", fact, address: object.address };
    const guard: Guard = { name: "lockout", fact: { about: { kind: "lockout", risk: fact } }, violated: true };
    return { guard, change: change({ action: "create", name, risks: [risk] }) };
  });
  const guards = [...refused.map(({ guard }) => guard), protection("#general")];
  const shown = printText(PLAIN, [guardLines(guards, PLAIN)]);
  expect(shown.match(/refused by a guard/g)).toHaveLength(2);
  expect(shown).toContain("the same for 4 more: #b c, #d, #e, #f");
  expect(printText(PLAIN, [guardLines(guards, PLAIN, true)]).match(/refused by a guard/g)).toHaveLength(6);
  const changes = refused.map((one) => one.change);
  const text = commentOf({ ...MIXED_PLAN, changes, guards });
  expect(text.match(/Refused by a guard rail/g)).toHaveLength(2);
  expect(text).toContain("the same for 4 more: `#b c`, `#d`, `#e`, `#f`");
  expect(text.match(/cannot change who reads/g)).toHaveLength(1);
});
