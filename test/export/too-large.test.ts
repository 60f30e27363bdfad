import { expect, test } from "vitest";
import { exportRealm } from "../../src/export/export.ts";
import type { Split } from "../../src/export/options.ts";
import { textsOf } from "../../src/export/text.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { bytesOf } from "../../src/model/texts.ts";
import { LARGEST_FILE_BYTES, MOST_BYTES } from "../../src/source/limits.ts";
import { realmOf } from "../support/realm.ts";

/** No server has such descriptions; a million subscribers would need seconds. */
const MEGABYTE_OF_TEXT = "x".repeat(1024 * 1024);
const realmWith = (count: number) =>
  realmOf({
    channels: Array.from({ length: count }, (_, n) => ({ name: `team-${n}`, description: MEGABYTE_OF_TEXT })),
  });

test.each<{
  readonly fact: string;
  readonly channels: number;
  readonly split: Split;
  readonly subscribers: boolean;
  readonly says: object;
}>([
  {
    fact: "one file",
    channels: 40,
    split: "none",
    subscribers: true,
    says: { file: "realm.yaml", most_bytes: LARGEST_FILE_BYTES, has_subscribers: true, is_split: false },
  },
  {
    fact: "all files together",
    channels: 70,
    split: "kind",
    subscribers: false,
    says: { most_bytes: MOST_BYTES, has_subscribers: false, is_split: true },
  },
])("what would be too large to be read is not exported: $fact", async ({ channels, split, subscribers, says }) => {
  const exported = exportRealm({ snapshot: realmWith(channels), kinds, split, subscribers });
  await expect(exported).rejects.toMatchObject({ diagnostics: [{ code: "export/too-large", fact: says }] });
});

test("a section that is too large for one file becomes several, in the same order", () => {
  const items = Array.from({ length: 40 }, (_, n) => ({
    name: `team-${n}`,
    value: { description: MEGABYTE_OF_TEXT },
    comments: [],
  }));
  const section = {
    section: "channels",
    kind: "channel",
    shape: "map" as const,
    profiles: false,
    splitBy: undefined,
    policy: "additive" as const,
    unset: false,
    items,
    comments: ["Written once."],
  };
  const { files } = textsOf({ file: "realm.yaml", snapshot: realmOf({}), sections: [section], profiles: [] }, "kind");
  expect([...files.keys()]).toEqual(["realm.yaml", "channels/1.yaml", "channels/2.yaml"]);
  expect(files.get("realm.yaml")).toMatch(/include:\s+- channels\/1\.yaml\s+- channels\/2\.yaml/);
  for (const text of files.values()) expect(bytesOf(text)).toBeLessThanOrEqual(LARGEST_FILE_BYTES);
  const written = [...files.values()].join("");
  expect([...written.matchAll(/team-\d+/g)].map(([name]) => name)).toEqual(items.map(({ name }) => name));
  expect(written.match(/Written once/g)).toHaveLength(1);
});
