import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { HistoryForm } from "../../src/model/output-schemas.ts";
import { worldOfTests } from "./world.ts";

const FILE = `version: 1
channels:
  announce: {description: News}
  general: {description: All about Zulip}
`;

const world = worldOfTests({ files: { "realm.yaml": FILE } });

const history = async (options = {}) =>
  HistoryForm.parse(JSON.parse((await world.realmctl("history --format json", options)).out));

test("runs, the newest first: of a file, of a saved plan, an undo; and what is not this account's", async () => {
  expect((await world.realmctl("history")).out).toBe("No runs in .realmctl.\n");
  await world.realmctl("apply --yes");
  world.file("realm.yaml", FILE.replace("All about Zulip", "Everything"));
  await world.realmctl("plan --out realm.plan");
  await world.realmctl("apply realm.plan --yes");
  const undone = await world.realmctl("apply --undo --yes");
  expect(undone.code).toBe(EXIT.done);
  expect(undone.err).toContain("Undoes the last run: apply of realm.plan of ");
  expect(undone.err).toContain("realm.yaml still asks for");
  expect(undone.err).toContain("  The lines: realm.yaml:4\n");
  expect(world.channel("general").description).toBe("All about Zulip");
  const { runs, strays } = await history();
  expect(runs.map(({ source, changes, outcome, proof }) => [source?.is, changes, outcome, proof])).toEqual([
    ["undo", { created: 0, changed: 1, removed: 0 }, "applied", "own"],
    ["saved-plan", { created: 0, changed: 1, removed: 0 }, "applied", "own"],
    [undefined, { created: 1, changed: 1, removed: 0 }, "applied", "own"],
  ]);
  expect(strays).toEqual([]);
  expect((await world.realmctl("history --limit 1")).out).toMatch(
    /^\d{4}-.*undo of .realmctl.*: done, 1 of 1 request\n(.*\n){2}2 older runs not shown/,
  );
  world.file(".realmctl/notes.txt", "mine");
  world.file(".realmctl/2030-01-01T00-00-00.jsonl", "{}\n");
  const { out } = await world.realmctl("history --format text", { as: "member" });
  expect(out).toContain("not proven: another account wrote it");
  expect(out).toContain("No journals: notes.txt");
  expect(out).toContain("Not read: ");
  const env = { ZULIP_CONFIG: "/nowhere/zuliprc" };
  expect((await history({ anonymous: true, env })).runs.map(({ proof }) => proof)).toEqual([
    "no-key",
    "no-key",
    "no-key",
  ]);
});

test("an undo without a journal takes no run of another account, and none if there is none", async () => {
  const none = await world.realmctl("apply --undo --yes");
  expect(none).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("error[journal/no-run]") });
  await world.realmctl("apply --yes");
  const other = await world.realmctl("apply --undo --yes", { as: "admin" });
  expect(other).toMatchObject({ code: EXIT.errors, err: expect.stringContaining("error[journal/no-run]") });
});

test("a run that was interrupted is said to be, with its requests", async () => {
  await world.realmctl("apply --yes");
  const [journal = ""] = world.journals();
  const lines = world.read(`.realmctl/${journal}`).split("\n");
  world.file(`.realmctl/${journal}`, `${lines.slice(0, 2).join("\n")}\n`);
  const { out } = await world.realmctl("history");
  expect(out).toContain(
    "apply: not finished (interrupted, or still running), 0 of 2 requests, 1 with an unknown result",
  );
  expect(out).toContain("\n  planned: 1 created, 1 changed, ");
});
