import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PNG } from "../support/pictures.ts";
import { repositoryOfTests } from "./runner.ts";

const repository = repositoryOfTests();

const BASE = "version: 1\n";
const HEAD = "version: 1\nsettings: {icon: branding.png}\nemoji: {anvil: anvil.png}\n";
const picture = (name: string, bytes: Uint8Array): void => writeFileSync(join(repository.workspace, name), bytes);

test("pictures of a pull request come from its head, and the comment describes them", async () => {
  repository.pull(BASE, HEAD);
  picture("anvil.png", PNG);
  picture("branding.png", PNG);
  await repository.run("plan");
  const body = repository.github.comments[0]?.body ?? "";
  expect(body).toContain(`anvil.png (image/png, ${PNG.length} bytes, SHA-256`);
  expect(body).toContain(`branding.png (image/png, ${PNG.length} bytes, SHA-256`);
  // Read, but sent nowhere.
  expect(repository.world.writes()).toEqual([]);
});

test.each<{ what: string; put: () => void; said: string }>([
  { what: "none", put: () => {}, said: "anvil.png cannot be read" },
  { what: "not a picture", put: () => picture("anvil.png", Buffer.from("text")), said: "anvil.png" },
  {
    what: "larger than a server accepts",
    put: () => picture("anvil.png", Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)])),
    said: "anvil.png",
  },
  {
    what: "too large for a job to read",
    put: () => picture("anvil.png", Buffer.alloc(30 * 1024 * 1024)),
    said: "anvil.png",
  },
  {
    what: "a link that leads out of the checkout",
    put: () => symlinkSync("/etc/hostname", join(repository.workspace, "anvil.png")),
    said: "anvil.png",
  },
])("a picture that is $what is an error of the pull request", async ({ put, said }) => {
  repository.pull(BASE, "version: 1\nemoji: {anvil: anvil.png}\n");
  put();
  await repository.run("plan");
  const body = repository.github.comments[0]?.body ?? "";
  expect(body).toContain("1 error");
  expect(body + JSON.stringify(repository.github.checks)).toContain(said);
  expect(body).not.toContain("SHA-256");
});
