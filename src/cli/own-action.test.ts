import { expect, test } from "vitest";
import { ownAction } from "./init/jobs.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

/** The answers of git in a clone, by its first arguments. */
const git =
  (answers: { top?: string; remote?: string; head?: string; branches?: string }) =>
  async (_directory: string, [command, what]: readonly string[]): Promise<string | undefined> => {
    if (command === "rev-parse") return what === "HEAD" ? answers.head : answers.top;
    return command === "remote" ? answers.remote : answers.branches;
  };
const clone = {
  top: "/src/realmctl",
  remote: "https://github.com/acme/realmctl.git",
  head: commit,
  branches: "origin/main",
};

test.each<{ name: string; answers: Parameters<typeof git>[0]; found: string | undefined }>([
  { name: "a clone over https", answers: clone, found: `acme/realmctl@${commit}` },
  { name: "over ssh", answers: { ...clone, remote: "git@github.com:acme/realmctl" }, found: `acme/realmctl@${commit}` },
  {
    name: "with a token in the address",
    answers: { ...clone, remote: "https://t0ken@github.com/acme/realmctl" },
    found: `acme/realmctl@${commit}`,
  },
  {
    name: "from elsewhere",
    answers: { ...clone, remote: "https://git.example.org/acme/realmctl.git" },
    found: undefined,
  },
  {
    name: "from a host that ends like GitHub's",
    answers: { ...clone, remote: "https://notgithub.com/acme/realmctl" },
    found: undefined,
  },
  { name: "a commit that nobody pushed", answers: { ...clone, branches: "" }, found: undefined },
  { name: "a package in somebody's repository", answers: { ...clone, top: "/src" }, found: undefined },
  { name: "not a repository", answers: {}, found: undefined },
])("$name: $found", async ({ answers, found }) => {
  expect(await ownAction({ git: git(answers) }, "/src/realmctl")).toBe(found);
});

test("without git, nothing is known", async () =>
  expect(await ownAction({ git: async () => undefined }, "/src/realmctl")).toBeUndefined());
