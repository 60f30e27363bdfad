import { readdirSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { Replayer } from "../scripts/recordings.ts";

/** Every recording of a real server, step by step, against the sandbox over HTTP. */
const FOLDERS = ["recordings/", "recordings/level-384/"];
/** Areas that the sandbox does not have yet; a file leaves this list when its area comes. */
const MISSING = new Set([
  "drafts-edit.json",
  "messages-edit-wildcards.json",
  "own-user.json",
  "profile-fields-crud.json",
  "profile-fields-update.json",
  "profile-update.json",
  "register-snapshot.json",
  "reminders.json",
  "scheduled-edit.json",
  "scheduled-topics.json",
  "settings-aliases.json",
  "settings-drafts-sync.json",
  "status-update.json",
  "typing-edit.json",
  "users-read.json",
]);
const files = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(".json") && name !== "realm.json" && !MISSING.has(name))
    .map((name) => `${folder}${name}`),
);

const replayer = new Replayer();
afterAll(() => replayer.close());

test.each(files)("%s", async (file) => {
  const { failures, steps } = await replayer.replay(new URL(file, import.meta.url).pathname);
  expect(steps).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});
