import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { snapshotText } from "../zulip/snapshot.ts";

const FILE = `version: 1
channels:
  general: {description: Talk} # for all
  news:
    description: What is new
`;
const snapshot = snapshotText(
  realmOf({
    channels: [
      { name: "general", description: "Talk freely" },
      { name: "news", description: "What is old" },
      { name: "party", description: "" },
    ],
  }),
);
const run = (line: string) =>
  runCommandLine(`adopt --snapshot realm.json ${line}`.trim().split(" "), {
    files: { "realm.json": snapshot, "realm.yaml": FILE },
  });

test("everything, without asking", async () => {
  const { exitCode, out, files } = await run("--all --yes");
  expect(exitCode).toBe(0);
  expect(out).toContain(
    "-  general: {description: Talk} # for all\n+  general: {description: Talk freely} # for all\n",
  );
  expect(files["realm.yaml"]).toBe(FILE.replace("Talk", "Talk freely").replace("is new", "is old"));
});

test("one object, and one that the file does not know", async () => {
  const { exitCode, files } = await run("channel:news #party --yes");
  expect(exitCode).toBe(0);
  expect(files["realm.yaml"]).toBe(`${FILE.replace("is new", "is old")}  party: {}\n`);
});

test.each(["news", "#news", "channel:news"])("%s accepts the names that drift shows", async (name) => {
  const { exitCode, files } = await run(`${name} --yes`);
  expect(exitCode).toBe(0);
  expect(files["realm.yaml"]).toBe(FILE.replace("is new", "is old"));
});

test("a singleton section is named as in drift", async () => {
  const files = {
    "realm.json": snapshotText(realmOf({})),
    "realm.yaml": "version: 1\nsettings: {message_retention_days: 365}\n",
  };
  const ran = await runCommandLine("adopt --snapshot realm.json settings --yes".split(" "), { files });
  expect(ran.files["realm.yaml"]).toBe("version: 1\nsettings: {message_retention_days: unlimited}\n");
});

test.each(["channels", "channel:n*"])("%s stands for the objects that differ", async (name) => {
  const { exitCode, files } = await run(`${name} --yes`);
  expect(exitCode).toBe(0);
  expect(files["realm.yaml"]).not.toContain("is new");
});

test("--all and a name contradict each other", async () => {
  const { exitCode, err } = await run("news --all --yes");
  expect(exitCode).toBe(1);
  expect(err).toContain("error[adopt/what]: --all takes everything that differs, and news is named too");
});

test("without a terminal, the differences are listed", async () => {
  expect((await run("")).err).toContain("realmctl adopt --snapshot realm.json\n   channel:general");
});

test("without a terminal, a section that is one object is named as in drift", async () => {
  const files = {
    "realm.json": snapshotText(realmOf({})),
    "realm.yaml": "version: 1\nsettings: {message_retention_days: 365}\n",
  };
  const { exitCode, err } = await runCommandLine(["adopt", "--snapshot", "realm.json"], { files });
  expect(exitCode).toBe(1);
  expect(err).toContain("1 object differs from realm.yaml");
  expect(err).toContain("realmctl adopt --snapshot realm.json settings\n");
});

test("without a terminal and without a difference, there is nothing to ask", async () => {
  // #general and #news are not in the file: additive leaves them alone.
  const files = { "realm.json": snapshot, "realm.yaml": "version: 1\nchannels:\n  party: {}\n" };
  const { exitCode, out, err } = await runCommandLine(["adopt", "--snapshot", "realm.json"], { files });
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  expect(out).toBe("Nothing to take: realm.yaml matches the server.\n");
});

test.each([
  { written: "channel:nwes", hint: 'did you mean "channel:news"?' },
  { written: "channl:news", hint: 'did you mean "channel:news"?' },
  // Only the kind "channel:" is similar to known names.
  { written: "channel:nope", hint: "these differ: " },
])("$written: $hint", async ({ written, hint }) => {
  const { exitCode, err } = await run(`${written} --yes`);
  expect(exitCode).toBe(1);
  expect(err).toContain(hint);
});

test.each([
  {
    what: "a name of two objects",
    written: "crew",
    says: '"crew" has 2 possible meanings = write one of these: user_group:crew and channel:crew',
  },
  {
    what: "a section that only leaves fields out",
    written: "channel:nope",
    says: "channel_folder:Company and channel_folder:Projects 1 error",
  },
])("$what is not said to differ", async ({ written, says }) => {
  const live = realmOf({ channels: [{ name: "crew", description: "" }], user_groups: [{ name: "crew" }] });
  const file = "version: 1\nuser_groups: {crew: {description: b}}\nchannels: {crew: {description: a}}\nsettings: {}\n";
  const { exitCode, err } = await runCommandLine(["adopt", "--snapshot", "realm.json", written, "--yes"], {
    files: { "realm.json": snapshotText(live), "realm.yaml": file },
  });
  expect(exitCode).toBe(1);
  expect(err.replaceAll(/\s+/g, " ")).toContain(says);
});

test("an object that has another name now is named with its kind", async () => {
  const live = realmOf({ channels: [{ stream_id: 101, name: "lobby" }] });
  const { out } = await runCommandLine(["adopt", "--snapshot", "realm.json", "--all", "--yes"], {
    files: { "realm.json": snapshotText(live), "realm.yaml": "version: 1\nchannels: {Room: {id: 101}}\n" },
  });
  expect(out).toContain("#Room is called lobby now.\n");
});

test("with --dry-run, they are only shown", async () => {
  const { exitCode, out, files } = await run("--all --dry-run");
  expect(exitCode).toBe(0);
  expect(out).toContain("+    description: What is old");
  expect(files["realm.yaml"]).toBe(FILE);
});

test("an order that would move entries from one file to another is not adopted, and is shown as the server has it", async () => {
  const entry = (name: string) =>
    `  - {pattern: '${name}(?P<id>[0-9]+)', url_template: 'https://${name}.example.org/{id}'}\n`;
  const live = ["b", "c", "a"].map((name) => ({
    pattern: `${name}(?P<id>[0-9]+)`,
    url_template: `https://${name}.example.org/{id}`,
  }));
  const files = {
    "realm.json": snapshotText(realmOf({ linkifiers: live })),
    "teams.yaml": `version: 1\ninclude: [more.yaml]\nlinkifiers:\n${entry("c")}`,
    "more.yaml": `linkifiers:\n${entry("a")}${entry("b")}`,
  };
  const ran = await runCommandLine("adopt --snapshot realm.json --file teams.yaml --all --yes".split(" "), { files });
  expect(ran.exitCode).toBe(2);
  expect(ran.err.replaceAll(/\s+/g, " ")).toContain(
    "Not taken: the order of linkifiers: entries would have to move from one file to another",
  );
  expect(ran.err).toContain("b(?P<id>[0-9]+), c(?P<id>[0-9]+) and a(?P<id>[0-9]+)");
  expect(ran.files["more.yaml"]).toBe(files["more.yaml"]);
});

describe("a file that another organization includes, too", () => {
  const files = {
    "realm.json": snapshotText(realmOf({ channels: [{ name: "general", description: "Talk of today" }] })),
    "one.yaml": "version: 1\ninclude: [shared.yaml]\n",
    "shared.yaml": "channels:\n  general: {description: Talk}\n",
  };
  const two = { "two.yaml": "version: 1\ninclude: [shared.yaml]\nchannels: {news: {}}\n" };

  test.each([
    { what: "is not written with --yes", others: two, exitCode: 1, isWritten: false },
    { what: "alone is written", others: {}, exitCode: 0, isWritten: true },
  ])("$what", async ({ others, exitCode, isWritten }) => {
    const line = "adopt --snapshot realm.json --file one.yaml --all --yes";
    const ran = await runCommandLine(line.split(" "), { files: { ...files, ...others } });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.files["shared.yaml"] !== files["shared.yaml"]).toBe(isWritten);
    expect(ran.err.includes("error[adopt/shared-file]: shared.yaml is a part of two.yaml, too")).toBe(!isWritten);
  });

  test("is named with --dry-run", async () => {
    const line = "adopt --snapshot realm.json --file one.yaml --all --dry-run";
    const ran = await runCommandLine(line.split(" "), { files: { ...files, ...two } });
    expect([ran.exitCode, ran.err.replaceAll(/\s+/g, " ")]).toEqual([
      0,
      "shared.yaml is a part of two.yaml, too: what is written there changes that organization as well ",
    ]);
  });
});

describe("refused, and nothing is written", () => {
  test.each([
    { line: "", code: "adopt/what", ending: "changed or written" },
    { line: "--all", code: "adopt/nobody-to-ask", ending: "changed or written" },
    { line: "realm.yaml --all", code: "adopt/what", ending: "sent" },
    { line: "channel:nwes --yes", code: "adopt/unknown-address", ending: "changed or written" },
    { line: "--file other.yaml --all", code: "config/cannot-read", ending: "sent" },
  ])("adopt $line", async ({ line, code, ending }) => {
    const { exitCode, err, files } = await run(line);
    expect(exitCode).toBe(1);
    expect(err).toContain(`error[${code}]`);
    expect(err).toContain(`Nothing was ${ending}.`);
    expect(files["realm.yaml"]).toBe(FILE);
  });
});

test("a channel that somebody archived is drift, and is adopted as archived", async () => {
  const archived = realmOf({
    channels: [
      { name: "general", description: "Talk" },
      { name: "news", description: "What is new", is_archived: true },
    ],
  });
  const files = { "realm.json": snapshotText(archived), "realm.yaml": FILE };
  const drift = await runCommandLine(["drift", "--snapshot", "realm.json"], { files });
  expect(drift.exitCode).toBe(2);
  expect(drift.out).toContain("archived      false → true");
  const adopted = await runCommandLine(["adopt", "--snapshot", "realm.json", "--all", "--yes"], { files });
  expect(adopted.exitCode).toBe(0);
  expect(adopted.files["realm.yaml"]).toBe(`${FILE}    archived: true\n`);
  const after = await runCommandLine(["drift", "--snapshot", "realm.json"], { files: { ...files, ...adopted.files } });
  expect(after.exitCode).toBe(0);
});

test("nothing is adopted from an organization other than the file's", async () => {
  const file = FILE.replace("version: 1\n", "version: 1\nrealm: https://other.example.org\n");
  const { exitCode, err, files } = await runCommandLine(["adopt", "--snapshot", "realm.json", "--all", "--yes"], {
    files: { "realm.json": snapshot, "realm.yaml": file },
  });
  expect(exitCode).toBe(1);
  expect(err).toContain("error[realm/other-realm]: this file is for https://other.example.org");
  expect(files["realm.yaml"]).toBe(file);
});

test("somebody whom the server deactivated is removed from the lists that name them", async () => {
  const file = `version: 1
user_groups:
  staff: {members: [elif@acme.example, ada@acme.example]} # those who are paid
channels:
  hall: {permissions: {can_send_message_group: {users: [elif@acme.example, ben@acme.example]}}}
`;
  const live = realmOf({
    users: { "elif@acme.example": { is_active: false } },
    user_groups: [{ name: "staff", members: ["ada@acme.example"] }],
    channels: [{ name: "hall", can_send_message_group: { direct_members: [7], direct_subgroups: [] } }],
  });
  const files = { "realm.json": snapshotText(live), "realm.yaml": file };
  const adopted = await runCommandLine(["adopt", "--snapshot", "realm.json", "--all", "--yes"], { files });
  expect(adopted.exitCode).toBe(0);
  expect(adopted.files["realm.yaml"]).toBe(file.replaceAll("elif@acme.example, ", ""));
  const plan = await runCommandLine(["plan", "--snapshot", "realm.json"], { files: { ...files, ...adopted.files } });
  expect(plan).toMatchObject({ exitCode: 0, out: expect.stringContaining("No changes.") });
});

test.each([
  ["nothing else differs", "channels: {hall: {subscribers: {users: [elif@acme.example]}}}"],
  ["something else is adopted", "channels: {hall: {description: Ours, subscribers: {users: [elif@acme.example]}}}"],
])("somebody deactivated is taken out of a list in which nothing is compared: %s", async (_, yaml) => {
  const live = realmOf({
    users: { "elif@acme.example": { is_active: false } },
    channels: [{ name: "hall" }],
    subscribers: { hall: [] },
  });
  const files = { "realm.json": snapshotText(live), "realm.yaml": `version: 1\n${yaml}\n` };
  const adopted = await runCommandLine(["adopt", "--snapshot", "realm.json", "--all", "--yes"], { files });
  expect(adopted.exitCode).toBe(0);
  expect(adopted.files["realm.yaml"]).not.toContain("elif");
  const plan = await runCommandLine(["plan", "--snapshot", "realm.json"], { files: { ...files, ...adopted.files } });
  expect(plan).toMatchObject({ exitCode: 0, out: expect.stringContaining("No changes.") });
});

describe("a protection of a channel that has another name on the server", () => {
  const renamed = { "realm.json": snapshotText(realmOf({ channels: [{ name: "lobby" }, { name: "hall" }] })) };
  const adopted = (policy: string, more: { readonly [file: string]: string } = {}) =>
    runCommandLine("adopt --snapshot realm.json --all --yes".split(" "), {
      files: {
        ...renamed,
        ...more,
        "realm.yaml": `version: 1\nchannels:\n  Room: {id: 101}\n  hall: {}\npolicy: ${policy}\n`,
      },
    });

  test("follows, if it names the channel", async () => {
    const { exitCode, err, files } = await adopted("{protect: ['channel:room', channels:hall]} # keep");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(files["realm.yaml"]).toContain("\n  lobby: {id: 101}\n");
    expect(files["realm.yaml"]).toContain('policy: {protect: ["channel:lobby", channels:hall]} # keep\n');
  });

  test.each([
    { policy: "{protect: ['channel:ro*', channel:hall]}", pattern: "channel:ro*", where: "" },
    { policy: "guards.yaml", pattern: "channel:room", where: " in guards.yaml" },
  ])("is named if adopt cannot write it: $policy", async ({ policy, pattern, where }) => {
    const guards = "version: 1\npolicy: {protect: [channel:room, channel:hall]}\n";
    const { exitCode, err, files } = await adopted(policy, { "guards.yaml": guards });
    expect(exitCode).toBe(0);
    expect(err).toBe(`No longer protected: lobby, which was Room. Change protect: ${pattern}${where}.\n`);
    expect(files["realm.yaml"]).toContain(`policy: ${policy}\n`);
    expect(files["guards.yaml"]).toBe(guards);
  });

  test("is not reported if another pattern has the new name", async () => {
    const { err } = await adopted("{protect: ['channel:ro*', 'channel:lob*']}");
    expect(err).toBe("");
  });

  test("is named for an item of a list, and for a pattern with a variable", async () => {
    const live = realmOf({
      channels: [{ name: "lobby" }],
      profile_fields: [{ id: 501, name: "Pronouns", type: "short_text" }],
    });
    const { err } = await runCommandLine("adopt --snapshot realm.json --all --yes".split(" "), {
      files: {
        "realm.json": snapshotText(live),
        "realm.yaml":
          "version: 1\nvars: {team: {type: string}}\nvalues: {team: room}\nchannels: {room: {id: 101}}\nprofile_fields: [{id: 501, name: Pronoun}]\npolicy: {protect: ['channel:${team}', 'profile_field:Pronoun']}\n",
      },
    });
    expect(err.split("\n").filter((line) => line.startsWith("No longer protected"))).toEqual([
      "No longer protected: lobby, which was room. Change protect: channel:room.",
      "No longer protected: Pronouns, which was Pronoun. Change protect: profile_field:Pronoun.",
    ]);
  });

  test("is left alone if its pattern matches both names", async () => {
    const { err, files } = await adopted("{protect: ['channel:*o*']}");
    expect(err).toBe("");
    expect(files["realm.yaml"]).toContain("policy: {protect: ['channel:*o*']}\n");
  });
});
