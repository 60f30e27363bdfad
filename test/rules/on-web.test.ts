import { expect, test } from "vitest";
import { snapshotText } from "../../src/zulip/snapshot.ts";
import { runCommandLine } from "../support/cli/command-line.ts";
import { realmOf } from "../support/realm.ts";

test.each([
  { what: "on the web", isOpen: true, flags: ["--as-is", "--snapshot", "s.json"], holds: false },
  { what: "without spectators", isOpen: false, flags: ["--as-is", "--snapshot", "s.json"], holds: true },
  // The file alone does not say whether the organization has spectators.
  { what: "perhaps on the web", isOpen: true, flags: [], holds: null },
])("a channel $what is read by more than any number of people", async ({ isOpen, flags, holds }) => {
  const live = realmOf({
    channels: [{ name: "news", is_web_public: true }],
    subscribers: { news: ["ada@acme.example"] },
    settings: { enable_spectator_access: isOpen },
  });
  const { out, err } = await runCommandLine(["test", ...flags, "--format", "json"], {
    files: {
      "realm.yaml": "version: 1\nchannels: {news: {privacy: web_public}}\n",
      "realm.test.yaml": "version: 1\ntests:\n  - {name: few, objects: news, rights: {read: {at_most: 100}}}\n",
      "s.json": snapshotText(live),
    },
  });
  const json: { readonly rules: readonly { readonly holds: boolean | null; readonly violations?: unknown }[] } =
    JSON.parse(out);
  expect(json.rules?.[0]?.holds, out + err).toBe(holds);
  if (holds === false) expect(out).toContain("everybody on the web can read #news, at most 100 people should");
  // Nobody is told that the rule cannot fail.
  expect(`${out}${err}`.includes("rules/never-fails")).toBe(holds === true);
});

test.each([
  { what: "on the web", isOpen: true, flags: ["--as-is", "--snapshot", "s.json"], holds: false },
  { what: "without spectators", isOpen: false, flags: ["--as-is", "--snapshot", "s.json"], holds: true },
  { what: "perhaps on the web", isOpen: true, flags: [], holds: null },
])("a channel $what is not read by the people of the rule alone", async ({ isOpen, flags, holds }) => {
  const live = realmOf({
    channels: [{ name: "news", is_web_public: true }],
    subscribers: { news: ["ada@acme.example"] },
    settings: { enable_spectator_access: isOpen },
  });
  for (const only of ["role:everyone", "[role:members, guest]", "[role:everyone, ada@acme.example]"]) {
    const { out, err } = await runCommandLine(["test", ...flags, "--format", "json"], {
      files: {
        "realm.yaml": "version: 1\nchannels: {news: {privacy: web_public}}\n",
        "realm.test.yaml": `version: 1\ntests:\n  - {name: ours, objects: news, rights: {read: {only: ${only}}}}\n`,
        "s.json": snapshotText(live),
      },
    });
    const json: { readonly rules: readonly { readonly holds: boolean | null }[] } = JSON.parse(out);
    expect(json.rules?.[0]?.holds, out + err).toBe(holds);
    expect(out.includes("everybody on the web can read #news"), out).toBe(holds === false);
    expect(`${out}${err}`.includes("rules/never-fails")).toBe(holds === true);
  }
});
