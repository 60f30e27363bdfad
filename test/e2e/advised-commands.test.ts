import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTests } from "./world.ts";

const world = worldOfTests();

/** The first command of a kind in a text whose lines are wrapped. */
const advised = (text: string, command: string): string | undefined =>
  new RegExp(`realmctl (${command}[^;,]*)`).exec(text.replaceAll(/\s+/g, " "))?.[1];

test("a command that a message advises names the file and has the options of the one that advises it, and runs as it is", async () => {
  world.file("other.yaml", "version: 1\nchannels:\n  announce: {description: News of the week}\n");
  expect((await world.realmctl("apply other.yaml --yes")).code).toBe(EXIT.done);
  world.file("other.yaml", "version: 1\nchannels:\n  announcements: {description: News of the week}\n");
  const { out } = await world.realmctl("plan other.yaml --timeout 300");
  const command = advised(out, "adopt") ?? "";
  expect(command).toBe('adopt --file other.yaml --timeout 300 "channel:announcements"');
  const ran = await world.realmctl(command.replaceAll('"', ""));
  expect(ran.err).not.toContain("error[use/");
  expect(ran.err).not.toContain("realm.yaml");
});

test("without a file and options of its own, an advised command is the short one", async () => {
  world.file("realm.yaml", "version: 1\nchannels:\n  announce: {description: News of the week}\n");
  await world.realmctl("apply --yes");
  world.file("realm.yaml", "version: 1\nchannels:\n  announcements: {description: News of the week}\n");
  expect(advised((await world.realmctl("plan")).out, "adopt")).toBe('adopt "channel:announcements"');
});
