import { describe, expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

/* A list with `except` keeps its form: who comes into a group later is still in the list. */

const [BEN, CHIARA, DMITRI, HANA] = ["ben", "chiara", "dmitri", "hana"].map((name) => `${name}@acme.example`) as [
  string,
  string,
  string,
  string,
];

const live = (there: readonly string[]) =>
  realmOf({
    channels: [{ name: "vault", invite_only: true }],
    user_groups: [
      { name: "crew", members: [BEN, CHIARA, DMITRI] },
      { name: "contractors", members: [DMITRI] },
      { name: "staff", members: [...there] },
    ],
    subscribers: { vault: [...there] },
  });

async function adopted(list: string, there: readonly string[]) {
  const file = `version: 1
channels:
  vault: {privacy: private_shared_history, subscribers: ${list}}
user_groups:
  staff: {members: ${list}}
`;
  const ran = await runCommandLine("adopt --snapshot realm.json --all --yes".split(" "), {
    files: { "realm.json": snapshotText(live(there)), "realm.yaml": file },
  });
  const after = ran.files["realm.yaml"] ?? "";
  const found = [/subscribers: (.*)\}$/m, /members: (.*)\}$/m].map((pattern) => pattern.exec(after)?.[1]);
  return { found, out: ran.out + ran.err, after };
}

describe("adopt writes who is there into a list with except", () => {
  test.each([
    {
      fact: "nothing differs",
      list: "{groups: [crew], except: {groups: [contractors]}}",
      there: [BEN, CHIARA],
      becomes: "{groups: [crew], except: {groups: [contractors]}}",
    },
    {
      fact: "somebody of the group is not there",
      list: "{groups: [crew], except: {groups: [contractors]}}",
      there: [BEN],
      becomes: `{groups: [crew], except: {groups: [contractors], users: [${CHIARA}]}}`,
    },
    {
      fact: "somebody is there whom except names",
      list: `{groups: [crew], except: {users: [${CHIARA}, ${DMITRI}]}}`,
      there: [BEN, CHIARA],
      becomes: `{groups: [crew], except: {users: [${DMITRI}]}}`,
    },
    {
      fact: "somebody else is there",
      list: "{groups: [crew], except: {groups: [contractors]}}",
      there: [BEN, CHIARA, HANA],
      becomes: `{groups: [crew], except: {groups: [contractors]}, users: [${HANA}]}`,
    },
  ])("$fact", async ({ list, there, becomes }) => {
    const { found, after } = await adopted(list, there);
    expect({ found, after }).toMatchObject({ found: [becomes, becomes] });
    const again = await runCommandLine("plan --snapshot realm.json".split(" "), {
      files: { "realm.json": snapshotText(live(there)), "realm.yaml": after },
    });
    expect(again.out).toContain("No changes.");
  });

  test("a list is left alone if somebody is there who is in a group that it excepts", async () => {
    const list = "{groups: [crew], except: {groups: [contractors]}}";
    const { found, out } = await adopted(list, [BEN, CHIARA, DMITRI]);
    expect(found).toEqual([list, list]);
    expect(out).toContain("somebody who is there is in contractors, which except leaves out");
  });
});
