import { expect, test } from "vitest";
import { Lines } from "../../src/apply/journal-lines.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { type World, worldOfTest } from "./world.ts";

/** Applies both files, lets somebody rename groups and the folder by hand, and undoes the second run. */
async function undone(
  before: string,
  after: string,
  renames: { readonly [group: string]: string },
  edit?: (journal: string) => string,
  then: (world: World, ids: ReadonlyMap<string, number>) => Promise<unknown> = async () => undefined,
) {
  const world = await worldOfTest();
  await world.bringInLine(`version: 1\n${before}`);
  const first = new Set(world.journals());
  await world.bringInLine(`version: 1\n${after}`);
  const [name = ""] = world.journals().filter((journal) => !first.has(journal));
  if (edit !== undefined) world.file(`.realmctl/${name}`, edit(world.read(`.realmctl/${name}`)));
  const ids = new Map(Object.keys(renames).map((group) => [group, world.group(group)]));
  for (const [group, to] of Object.entries(renames))
    await world.edit("owner", "PATCH", `/user_groups/${ids.get(group)}`, { name: to });
  await then(world, ids);
  const { code, err, out } = await world.realmctl(
    `apply --yes ${edit === undefined ? "" : "--foreign-journal "}--undo .realmctl/${name}`,
  );
  return { world, code, said: `${out}\n${err}`.replace(/\s+/g, " "), ids };
}

const READERS = "user_groups:\n  readers: {description: Who reads, members: [ada@acme.example]}\n";
const general = (description: string, group: string) =>
  `channels:\n  general: {description: ${description}, permissions: {can_send_message_group: ${group}}}\n`;

test("an old value that names a group which somebody renamed is restored", async () => {
  const { world, code, said, ids } = await undone(
    READERS + general("before", "readers"),
    READERS + general("after", "role:moderators"),
    { readers: "people who read" },
  );
  expect([code, said]).toEqual([EXIT.done, expect.not.stringContaining("stays")]);
  expect(world.channel("general")).toMatchObject({
    description: "before",
    can_send_message_group: ids.get("readers"),
  });
});

test("with a journal from before it had ids of names, such a value is not restored, and the rest is undone", async () => {
  const { world, code, said } = await undone(
    READERS + general("before", "readers"),
    READERS + general("after", "role:moderators"),
    { readers: "people who read" },
    (journal) =>
      journal
        .split("\n")
        .map((line) => (line === "" ? line : withoutNames(line)))
        .join("\n"),
  );
  expect([code, said]).toEqual([
    EXIT.done,
    expect.stringContaining('can_send_message_group stays: it was "readers", and nothing has this name now'),
  ]);
  expect(world.channel("general").description).toBe("before");
});

function withoutNames(line: string): string {
  const { names: _, sum: __, code: ___, ...rest } = JSON.parse(line);
  return new Lines().lineOf(JSON.stringify({ ...rest, ...(rest.version && { version: 3 }) })).trimEnd();
}

test("a value of the run that names a renamed group is still its own, and is undone", async () => {
  const { world, code, said } = await undone(
    READERS + general("before", "role:moderators"),
    READERS + general("after", "readers"),
    { readers: "people who read" },
  );
  expect([code, said]).toEqual([EXIT.done, expect.not.stringContaining("changed again")]);
  expect(world.channel("general")).toMatchObject({
    description: "before",
    can_send_message_group: world.group("role:moderators"),
  });
});

test("another group that has the name now is not taken for the one that the run named", async () => {
  const groups = `${READERS}  writers: {description: Who writes, members: [ada@acme.example]}\n`;
  const { world, code, said, ids } = await undone(
    groups + general("before", "role:moderators"),
    groups + general("after", "readers"),
    { readers: "people who read", writers: "readers" },
  );
  expect(code).toBe(EXIT.done);
  expect(said).not.toContain("changed again");
  expect(world.channel("general").description).toBe("before");
  expect(world.group("readers")).toBe(ids.get("writers"));
});

test("a value that names another group, which has the name now, was changed again", async () => {
  const groups = `${READERS}  writers: {description: Who writes, members: [ada@acme.example]}\n`;
  const { world, code, said, ids } = await undone(
    groups + general("before", "role:moderators"),
    groups + general("after", "readers"),
    { readers: "people who read", writers: "readers" },
    undefined,
    (world, ids) =>
      world.editChannel("general", { can_send_message_group: JSON.stringify({ new: ids.get("writers") }) }),
  );
  expect(code).toBe(EXIT.done);
  expect(said).toContain("can_send_message_group stays: it was changed again since");
  expect(world.channel("general")).toMatchObject({ description: "before", can_send_message_group: ids.get("writers") });
});

test("a group that the run created and somebody renamed stays, is named, and what names it is undone", async () => {
  const { world, code, said, ids } = await undone(
    general("before", "role:moderators"),
    READERS + general("after", "readers"),
    { readers: "people who read" },
  );
  expect(code).toBe(EXIT.done);
  expect(said).toMatch(/readers.*name/);
  expect(said).not.toContain("can_send_message_group stays");
  expect(world.channel("general").can_send_message_group).toBe(world.group("role:moderators"));
  expect(world.group("people who read")).toBe(ids.get("readers"));
});

test("after an undo, the file is said to ask again for what it renames, too", async () => {
  const { said } = await undone(
    "user_groups: {readers: {description: Who reads}}\n",
    "user_groups: {readers of all: {was: readers, description: Who reads}}\nchannels: {general: {description: after}}\n",
    {},
  );
  expect(said).toContain(
    "realm.yaml still asks for user group readers of all and #general: correct it too, or the next apply makes these changes again.",
  );
});
