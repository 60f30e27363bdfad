import { expect, test } from "vitest";
import fc from "../../../test/support/random.ts";
import { realmOf } from "../../../test/support/realm.ts";
import { overviewOf } from "../../access/picture.ts";
import { READ } from "../../access/rules.ts";
import { stateOf } from "../../access/state.ts";
import { Realm } from "../../model/realm.ts";
import { mermaidOf } from "./mermaid.ts";

/** A line of a diagram as this program writes it: whatever else stood in one could be Mermaid's own. */
const NODE =
  /^ {2}[cg]\d+(w\d+)?(\["[^"[\]{}|`<>]*(<br\/>[^"[\]{}|`<>]*)*"\]|\(\["[^"[\]{}|`<>]*(<br\/>[^"[\]{}|`<>]*)*"\]\))(:::\w+)?$/;
const EDGE = /^ {2}[cg]\d+(w\d+)? (-->|==>|-\.->)(\|"[^"[\]{}|`<>]*"\|)? [cg]\d+$/;
const OTHER = /^(```mermaid|flowchart LR|```|)$|^ {2}(left|none)\["[^"]*"\]$|^ {2}classDef \w+ [\w:#,\- ]+$/;

function diagramOf(overlay: Parameters<typeof realmOf>[0]): string {
  const realm = new Realm(realmOf(overlay));
  const state = stateOf(realm);
  return mermaidOf(overviewOf(state, READ).closed, { realm, before: state, after: state });
}

const isOwnLine = (line: string): boolean => [NODE, EDGE, OTHER].some((form) => form.test(line));

test("no name of a channel, group or person ends its label", () => {
  const name = fc
    .string({
      unit: fc.constantFrom(..."ab1 \"`<>|[](){}#;:/\\%-.+*_~=&'\n\té字\u202e".split("")),
      minLength: 1,
      maxLength: 20,
    })
    .filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(name, name, (channel, group) => {
      const text = diagramOf({
        user_groups: [{ name: group, members: ["hana@acme.example"] }],
        channels: [{ name: channel, invite_only: true, can_subscribe_group: group }],
        subscribers: { [channel]: ["ada@acme.example"] },
      });
      expect(text.split("\n").filter((line) => !isOwnLine(line))).toEqual([]);
    }),
  );
});

test("channels with the same ways share a node, and a group stands there once", () => {
  const names = Array.from({ length: 40 }, (_, index) => `team-${index}`);
  const text = diagramOf({
    user_groups: [
      { name: "staff", members: ["hana@acme.example"], subgroups: ["oncall"] },
      { name: "oncall", members: ["elif@acme.example"] },
    ],
    channels: names.map((name) => ({ name, invite_only: true, can_subscribe_group: "staff" })),
    subscribers: Object.fromEntries(names.map((name) => [name, ["ada@acme.example"]])),
  });
  expect(text.split("\n").slice(0, -5)).toMatchInlineSnapshot(`
    [
      "\`\`\`mermaid",
      "flowchart LR",
      "  c0["#35;team#45;0<br/>#35;team#45;1<br/>#35;team#45;2<br/>#35;team#45;3<br/>#35;team#45;4<br/>#35;team#45;5<br/>and 34 more channels<br/>read: 3 people<br/>private, shared history"]",
      "  c0w0(["1 person<br/>Ada Okafor"])",
      "  c0w0 -->|"subscribed"| c0",
      "  g0["staff<br/>2 people<br/>Elif Demir and Hana Sato"]",
      "  g1["oncall<br/>1 person<br/>Elif Demir"]",
      "  g1 --> g0",
      "  g0 -->|"can_subscribe_group"| c0",
    ]
  `);
});

test("a thousand channels stay below Mermaid's own limits, and the rest is counted", () => {
  const names = Array.from({ length: 1000 }, (_, index) => `team-${index}`);
  const text = diagramOf({
    user_groups: names.map((name) => ({ name: `${name}-people`, members: ["hana@acme.example"] })),
    channels: names.map((name) => ({ name, invite_only: true, can_subscribe_group: `${name}-people` })),
    subscribers: Object.fromEntries(names.map((name) => [name, ["ada@acme.example"]])),
  });
  expect(text.length).toBeLessThan(50_000);
  expect(text.split("\n").filter((line) => EDGE.test(line)).length).toBeLessThan(500);
  expect(text).toContain("and 940 more channels: not drawn");
});
