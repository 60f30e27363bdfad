import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { Realm } from "../model/realm.ts";
import { readConfig } from "./read-config.ts";

/** One letter, or an e with an accent of its own. */
const [COMPOSED, DECOMPOSED] = ["caf\u00e9", "cafe\u0301"];

test.each([
  { fact: "a name that looks like one of the organization", entry: `${DECOMPOSED}: {}`, found: [COMPOSED] },
  { fact: "the name of the organization itself", entry: `${COMPOSED}: {}`, found: [] },
  { fact: "a rename from the other form", entry: `${DECOMPOSED}: {was: ${COMPOSED}}`, found: [] },
  { fact: "another name", entry: "caff\u00e8: {}", found: [] },
])("$fact: $found.length warnings", async ({ entry, found }) => {
  const read = await readConfig({
    file: "realm.yaml",
    readFile: async () => `version: 1\nchannels:\n  ${entry}\n`,
    kinds,
    realm: new Realm(realmOf({ channels: [{ name: COMPOSED }] })),
  });
  const warnings = read.ok ? read.warnings : read.diagnostics;
  expect(warnings.flatMap(({ code, fact }) => (code === "config/same-letters" ? [fact] : []))).toEqual(
    found.map((other) => ({
      noun: "channel",
      name: { quoted: DECOMPOSED, of: "channel" },
      other: { quoted: other, of: "channel" },
      where: "organization",
    })),
  );
});
