import { expect, test } from "vitest";
import { PNG } from "../../test/support/pictures.ts";
import { realmOf } from "../../test/support/realm.ts";
import { DriftForm } from "../model/output-schemas.ts";
import { snapshotText } from "../zulip/snapshot-file.ts";
import { runCommandLine } from "./test-io.ts";

/** As an administrator, who is no owner. */
const live = (channels: number): string =>
  snapshotText(
    realmOf({
      account: "ben@acme.example",
      channels: Array.from({ length: channels }, (_, n) => ({ name: `c${n}` })),
      subscribers: {},
    }),
  );
const FILE = `version: 1
settings:
  permissions: {can_create_groups: role:moderators}
channels:
`;
const channels = (count: number): string =>
  Array.from({ length: count }, (_, n) => `  c${n}: {message_retention_days: 30}\n`).join("");

async function drift(count: number, ...flags: readonly string[]) {
  const files = { "realm.yaml": `${FILE}${channels(count)}`, "s.json": live(count) };
  const { out, err, exitCode } = await runCommandLine(["drift", "--snapshot", "s.json", ...flags], { files });
  expect({ err, exitCode }).toEqual({ err: "", exitCode: 2 });
  return out;
}

test("what the account could not put back is told as a warning, settings of owners too", async () => {
  const out = await drift(1);
  expect(out).toContain("can_create_groups");
  expect(out).toContain("message_retention_days");
  expect(out).toContain("warning[settings/owner-only]");
  expect(out).toContain("warning[channels/not-allowed]");
  const { warnings } = DriftForm.parse(JSON.parse(await drift(1, "--format", "json")));
  expect(warnings.map(({ code }) => code)).toEqual(["settings/owner-only", "channels/not-allowed"]);
});

test("of many warnings the first ten are shown", async () => {
  expect((await drift(20)).match(/warning\[/g)).toHaveLength(10);
  expect(await drift(20)).toContain("and 11 more warnings (--all shows every one)");
  expect((await drift(20, "--all")).match(/warning\[/g)).toHaveLength(21);
});

test("an account that somebody deactivated and a picture that somebody changed are told of, though they are not compared", async () => {
  const live = realmOf({
    users: { "ben@acme.example": { is_active: false }, "deploy-bot@localhost": { is_active: false } },
    settings: { icon_source: "U", icon_url: "/icon.png?version=4" },
  });
  const files = {
    "realm.yaml": `version: 1
settings: {icon: {image: icon.png, replaces: 1}}
people: {ben@acme.example: {role: administrator}}
bots: {deploy-bot: {owner: ada@acme.example}}
`,
    "icon.png": PNG.toString("latin1"),
    "s.json": snapshotText(live),
  };
  const drift = (line: string) => runCommandLine(`drift --snapshot s.json ${line}`.trim().split(" "), { files });
  const codes = ["settings/picture-version", "people/is-deactivated", "bots/is-deactivated"];
  const { out } = await drift("");
  expect(out).toContain("No drift.");
  expect(out.match(/(?<=warning\[)[^\]]+/g)).toEqual(codes);
  const { warnings } = DriftForm.parse(JSON.parse((await drift("--format json")).out));
  expect(warnings.map(({ code }) => code)).toEqual(codes);
  expect((await drift("--format html")).out).toMatch(/<h2>Warnings: 3<[\s\S]*ben@acme\.example is deactivated/);
});
