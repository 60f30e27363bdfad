import { beforeEach, describe, expect, test } from "vitest";
import { COUNTED, COUNTING } from "../../src/model/counted.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { realmOf } from "../support/realm.ts";
import { repositoryOfFile, SHA } from "./runner.ts";

/*
 * The author of a pull request does not decide what is asked about it: a number that it writes into its own `policy:` answers questions of later pull requests.
 */

const repository = repositoryOfFile({
  from: realmOf({
    channels: [{ name: "vault", invite_only: true }, ...Array.from({ length: 11 }, (_, n) => ({ name: `old-${n}` }))],
    subscribers: { vault: ["ada@acme.example"] },
  }),
});

const NUMBERS = COUNTED.filter((name) => COUNTING[name].asks || COUNTING[name].most !== undefined);
/** A number for everything that is asked about, or has a limit by default. */
const limits = (most: number, names: readonly string[] = NUMBERS) =>
  `policy: {limits: {${names.map((name) => `${name}: ${most}`).join(", ")}}}\n`;
const EVERYTHING = limits(999);

const many = (archived: boolean) =>
  Array.from({ length: 11 }, (_, n) => `  old-${n}: {archived: ${archived}}\n`).join("");
const realm = (own: string, { vault = "private_shared_history", days = "realm_default", gone = false } = {}): string =>
  `version: 1
manage: {channels: additive, people: additive}
${own}channels:
  vault: {privacy: ${vault}, subscribers: {users: [ada@acme.example]}, message_retention_days: ${days}}
${many(gone)}people: {dmitri@acme.example: {role: member}}
`;

const OPENING = { vault: "public" };
const SAYS_ITSELF = "what this pull request writes into its own policy answers only later ones";

interface Row {
  readonly what: string;
  readonly base?: { readonly [file: string]: string };
  readonly head: { readonly [file: string]: string };
  readonly inputs?: { readonly [name: string]: string };
  readonly refused?: true;
  readonly says: readonly string[];
}

const OPENED = ["you accept:** people gaining access to what is private", "you accept:** channels opened", SAYS_ITSELF];
const rows: readonly Row[] = [
  { what: "a base without a policy", head: { "realm.yaml": realm(EVERYTHING, OPENING) }, says: OPENED },
  {
    what: "a base with a policy about something else",
    base: { "realm.yaml": realm(limits(5, ["removals"])) },
    head: { "realm.yaml": realm(EVERYTHING, OPENING) },
    says: OPENED,
  },
  {
    what: "a policy in a file of its own",
    head: { "realm.yaml": realm("policy: own.yaml\n", OPENING), "own.yaml": `version: 1\n${EVERYTHING}` },
    says: OPENED,
  },
  {
    what: "the file that the workflow names, which the base does not have yet",
    head: { "realm.yaml": realm("", OPENING), "rails.yaml": `version: 1\n${EVERYTHING}` },
    inputs: { policy: "rails.yaml" },
    says: OPENED,
  },
  {
    what: "a base without the organization's file",
    base: {},
    head: { "realm.yaml": realm(EVERYTHING, OPENING) },
    says: OPENED,
  },
  {
    what: "messages that are deleted",
    head: { "realm.yaml": realm(EVERYTHING, { days: "7" }) },
    says: ["you accept:** steps that delete messages 1", SAYS_ITSELF],
  },
  {
    what: "new administrators",
    head: { "realm.yaml": realm(EVERYTHING).replace("role: member", "role: administrator") },
    says: ["you accept:** new administrators 1", SAYS_ITSELF],
  },
  {
    what: "a limit by default",
    head: { "realm.yaml": realm(EVERYTHING, { gone: true }) },
    refused: true,
    says: ["removals: 11, but at most 10 are allowed", "loosen it in a separate pull request first"],
  },
];

function pull({ base = { "realm.yaml": realm("") }, head }: Pick<Row, "base" | "head">): void {
  repository.pull("", "");
  repository.github.commits[SHA.base] = { ...base };
  repository.github.commits[SHA.head] = { ...head };
  repository.github.commits[SHA.merge] = { ...head };
  for (const [name, text] of Object.entries(head)) repository.file(name, text);
}

const comment = () => repository.github.comments.at(-1)?.body ?? "";

beforeEach(() => repository.restart());

describe("what a pull request writes into its own policy does not answer what is asked about it", () => {
  test.each(rows)("$what", async ({ base, head, inputs = {}, refused, says }) => {
    pull({ head, ...(base === undefined ? {} : { base }) });
    const step = await repository.run("plan", { inputs });
    expect(step.code, step.log).toBe(refused ? EXIT.refusedByGuard : EXIT.done);
    for (const one of says) expect(comment()).toContain(one);
  });

  test("what the base wrote does", async () => {
    pull({ base: { "realm.yaml": realm(EVERYTHING) }, head: { "realm.yaml": realm(EVERYTHING, OPENING) } });
    expect((await repository.run("plan")).code).toBe(EXIT.done);
    expect(comment()).not.toContain("you accept");
  });
});

describe("the approval is about what was asked, also where the merged file has a number", () => {
  const head = { "realm.yaml": realm(EVERYTHING, OPENING) };
  const merge = () => repository.run("apply", { event: "push", sha: SHA.main });
  beforeEach(async () => {
    pull({ head });
    repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
    const step = await repository.run("plan");
    repository.upload(step, step.outputs["artifact-name"] ?? "", "reviewed-file", { head_sha: SHA.head });
    repository.github.writes();
  });

  test("the same people pass", async () => {
    const step = await merge();
    expect(step.code, step.log).toBe(EXIT.done);
    expect(repository.world.channel("vault").invite_only).toBe(false);
  });

  test("others do not", async () => {
    const { world } = repository;
    await world.edit(
      "ada@acme.example",
      "DELETE",
      `/users/${world.sandbox.accounts["farah@acme.example"]?.user_id}`,
      {},
    );
    await world.edit("ada@acme.example", "PATCH", `/users/${world.sandbox.accounts["ivo@partner.example"]?.user_id}`, {
      role: 400,
    });
    const writes = world.writes().length;
    const step = await merge();
    expect(step.code, step.log).toBe(EXIT.refusedByGuard);
    expect(world.writes()).toHaveLength(writes);
  });
});
