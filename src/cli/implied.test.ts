import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must, planAgainst } from "../../test/support/world.ts";
import { renderPlanMarkdown } from "../report/markdown.ts";
import { snapshotText } from "../zulip/snapshot.ts";

const SNAPSHOT = realmOf({ channels: [{ name: "general" }] });
const files = {
  "realm.yaml": `version: 1
user_groups:
  makers: {members: [hana@acme.example]}
  crew: {permissions: {can_manage_group: makers, can_add_members_group: makers}}
channels:
  lobby: {privacy: public}
  yard: {subscribers: {users: [hana@acme.example]}, permissions: {can_administer_channel_group: makers}}
`,
  "s.json": snapshotText(SNAPSHOT),
};
const OWN = "{users: [ada@acme.example]}";

test.each([
  { format: "text", marked: [`can_administer_channel_group  ${OWN} (implied)`, "[ada@acme.example] (implied)"] },
  { format: "html", marked: [`${OWN} (implied)`, "[ada@acme.example] (implied)"] },
])("plan --format $format marks the rights that the account gets by creating an object", async ({ format, marked }) => {
  const { out } = await runCommandLine(["plan", "--snapshot", "s.json", "--format", format, "--all"], { files });
  for (const text of marked) expect(out).toContain(text);
  // There are two marks for makers and two for lobby.
  expect(out.split("(implied)")).toHaveLength(1 + 4);
});

test("a comment on a pull request marks them too", async () => {
  const plan = must(await planAgainst(files["realm.yaml"], SNAPSHOT));
  const origin = { mine: plan.changes, earlier: [], adopted: [] };
  const text = renderPlanMarkdown({ plan, origin, budget: 60_000, elsewhere: "nowhere", all: true });
  expect(text.split(" (implied)")).toHaveLength(1 + 4);
});

test("in JSON the mark is part of the field, and no call sends it", async () => {
  const { out } = await runCommandLine(["plan", "--snapshot", "s.json", "--format", "json"], { files });
  const {
    changes,
    calls,
  }: { changes: { name: string; fields: { field: string; implied?: true }[] }[]; calls: object[] } = JSON.parse(out);
  const implied = changes.map(({ name, fields }) => [
    name,
    fields.flatMap(({ field, implied: isImplied }) => (isImplied === true ? [field] : [])),
  ]);
  expect(Object.fromEntries(implied)).toEqual({
    makers: ["can_add_members_group", "can_manage_group"],
    crew: [],
    lobby: ["subscribers", "can_administer_channel_group"],
    yard: [],
  });
  const ofLobby = calls.find((call) => JSON.stringify(call).includes('"name":"lobby"'));
  expect(JSON.stringify(ofLobby)).not.toMatch(/principals|"can_administer_channel_group":\{/);
});

test.each([
  { format: "text", says: [`can_administer_channel_group: ${OWN} (implied)`, "(implied)"] },
  { format: "csv", says: [`can_administer_channel_group: ${OWN} (implied)`] },
  { format: "html", says: [`can_administer_channel_group: ${OWN} (implied)`] },
  { format: "json", says: ['"implied": true'] },
])("access --plan --format $format marks it", async ({ format, says }) => {
  const words = ["access", "--plan", "--snapshot", "s.json", "--format", format, "--all"];
  const { out } = await runCommandLine(words, { files });
  for (const text of says) expect(out).toContain(text);
});

test("drift of a missing object shows the file's values, and not the rights that its creation would give", async () => {
  const { out } = await runCommandLine(["drift", "--snapshot", "s.json", "--format", "json"], { files });
  expect(out).toContain('"missing"');
  expect(out).not.toContain("ada@acme.example");
});
