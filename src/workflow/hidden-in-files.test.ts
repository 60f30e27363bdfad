import { expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import { redactionOf } from "../report/redact.ts";
import { redactionOfFiles } from "./hidden-in-files.ts";

const HIDE = { privateNames: true, invitations: true, people: false };
const snapshot = realmOf({ channels: [{ name: "vault", invite_only: true }, { name: "lobby" }] });
const realm = [redactionOf([], snapshot, HIDE, kinds)];
const PROFILES =
  "profiles: {closed: {privacy: private_shared_history}, board: {profile: closed}, open: {privacy: public, profile: closed}}\n";

test.each<[fact: string, hidden: boolean, texts: readonly string[]]>([
  ["its own privacy", true, ["channels: {x: {privacy: private_shared_history}}"]],
  ["a privacy in a field that does not exist", true, ["channels: {x: {privcy: private_shared_history}}"]],
  ["a profile, in another file", true, [PROFILES, "channels: {x: {profile: closed}}"]],
  ["a profile of a profile", true, [`${PROFILES}channels: {x: {profile: [other, board]}}`]],
  [
    "a profile, but its own privacy is another one",
    false,
    [`${PROFILES}channels: {x: {profile: board, privacy: public}}`],
  ],
  [
    "a profile with another privacy than the one that it builds on",
    false,
    [`${PROFILES}channels: {x: {profile: open}}`],
  ],
  [
    "profiles that name each other",
    false,
    ["profiles: {a: {profile: b}, b: {profile: a}}\nchannels: {x: {profile: a}}"],
  ],
  ["defaults", true, ["defaults: {channels: {privacy: private_shared_history}}\nchannels: {x: }"]],
  ["a new name of a private channel", true, ["channels: {x: {was: vault}}"]],
  ["a new name of the private channel with that id", true, ["channels: {x: {id: 101}}"]],
  ["a new name of a public channel", false, ["channels: {x: {was: lobby}}"]],
  ["nothing", false, ["channels: {x: {description: y}}", "channels: [x]", "- x", ""]],
])("a name that is private by %s is hidden: %s", (_, hidden, texts) => {
  const shown = redactionOfFiles(texts, HIDE, kinds, { realm }).name("channel", "x");
  expect(shown).toBe(hidden ? "a private channel" : "x");
});

test("without a reading, a new name is shown; what is not asked for is not hidden", () => {
  expect(redactionOfFiles(["channels: {x: {was: vault}}"], HIDE, kinds).name("channel", "x")).toBe("x");
  const text = "channels: {x: {privacy: private_shared_history}}\ninvites: [{emails: [nora@example.org]}]";
  const all = redactionOfFiles([text], { privateNames: false, invitations: false }, kinds);
  expect([all.name("channel", "x"), all.value("nora@example.org")]).toEqual(["x", "nora@example.org"]);
  expect(redactionOfFiles([text], HIDE, kinds).value("nora@example.org")).toBe("an invited address");
});
