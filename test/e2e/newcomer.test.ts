import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { flat, worldOfTests } from "./world.ts";

const world = worldOfTests();

/** Errors that a newcomer met without a reason, a place or a way out. Each is refused now, and nothing is sent. */
describe("messages about bad input say what to do", () => {
  test.each([
    { what: "invites: [grace@example.org]", says: "write it like - {emails: [grace@example.org]}" },
    { what: "channels: {x: {id: abc}}", says: "write it in digits: 17" },
    { what: "linkifiers: [text]", says: "write it like - {pattern: text}" },
    { what: "invites: [{emails: [], send_until: 2026-12-01}]", says: "write a value, or delete the line" },
  ])("$what", async ({ what, says }) => {
    world.file("realm.yaml", `version: 1\n${what}\n`);
    const ran = await world.realmctl("plan");
    expect(ran.code).toBe(EXIT.errors);
    expect(flat(ran.err)).toContain(says);
    expect(ran.err).toContain("\n1 error. Nothing was changed.");
    expect(ran.err).not.toContain("the account with this id");
    expect(world.writes()).toEqual([]);
  });

  test("a picture is not text: reported once, without a message about encodings", async () => {
    world.file("realm.yaml", `\u0089PNG\r\n\u001a\n${"\0".repeat(100)}${"\u0001\u0002".repeat(20)}`);
    const ran = await world.realmctl("validate");
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).toContain("error[yaml/encoding]: this is not a text file");
    expect(ran.err).toContain("\n1 error.");
  });
});

describe("no file", () => {
  test.each(["plan", "validate", "drift", "apply --yes"])("%s without a file names init", async (line) => {
    const ran = await world.realmctl(line);
    expect(ran.code).toBe(EXIT.errors);
    expect(flat(ran.err)).toContain("write a first file with realmctl init");
  });

  test("realm.yml is offered where realm.yaml is missing, and the other way round", async () => {
    world.file("realm.yml", "version: 1\n");
    expect(flat((await world.realmctl("plan")).err)).toContain("there is realm.yml");
    world.file("team.yaml", "version: 1\n");
    expect(flat((await world.realmctl("validate team.yml")).err)).toContain("there is team.yaml");
  });
});

describe("a file of another format is named as that format", () => {
  test.each(["version: 1\n", "hello\n", "[]\n", '{"format": "realmctl.plan"}\n'])(
    "%j is not a journal, and the message does not suggest moving it away as a damaged one",
    async (text) => {
      world.file("other.txt", text);
      const ran = await world.realmctl("apply --undo other.txt --yes");
      expect(ran.code).toBe(EXIT.errors);
      expect(ran.err).toContain("error[journal/no-journal]: other.txt is not the journal of a run");
    },
  );

  test("a damaged line of a journal is reported as such", async () => {
    world.file("j.jsonl", '{"entry":"start","at":"never"}\n');
    expect((await world.realmctl("apply --undo j.jsonl --yes")).err).toContain("error[journal/unreadable]");
  });

  test("a journal of another machine that has no end is said to have none", async () => {
    await world.bringInLine("version: 1\nchannels: {general: {description: Other}}\n");
    const lines = world.read(`.realmctl/${world.journals()[0]}`).split("\n");
    const undo = async (most: number) => {
      world.file("j.jsonl", `${lines.slice(0, most).join("\n")}\n`);
      return flat((await world.realmctl("apply --undo j.jsonl --yes")).err);
    };
    const isCut = "j.jsonl has no end: the run was interrupted, or lines are missing. It says that";
    expect(await undo(1)).toContain(`${isCut} 0 of 1 request were sent`);
    expect(await undo(2)).toContain(`${isCut} 1 of 1 request was sent`);
    expect(await undo(lines.length)).not.toContain("has no end");
  });

  test("what ends in .plan is a saved plan, whatever it holds", async () => {
    world.file("copy.plan", "version: 1\nchannels: {general: {description: Other}}\n");
    const ran = await world.realmctl("apply copy.plan --yes");
    expect([ran.code, ran.err]).toEqual([EXIT.errors, expect.stringContaining("plan-file/not-json")]);
    expect(world.writes()).toEqual([]);
  });

  test("first rules are suggested for the file that was named", async () => {
    world.directories("orgs");
    world.file("orgs/a.yaml", "version: 1\n");
    const { err } = await world.realmctl("test orgs/a.yaml");
    expect(flat(err)).toContain("`realmctl test orgs/a.yaml --suggest > orgs/a.test.yaml` writes first ones");
  });

  test("a plain yes is no answer if only a guard rail asks: an object that looks renamed", async () => {
    const named = (name: string) =>
      `version: 1\nuser_groups: {staff: {members: [ada@acme.example]}}\nchannels: {${name}: {privacy: private_shared_history, description: v, subscribers: {groups: [staff]}}}\n`;
    await world.bringInLine(named("vault"));
    world.file("realm.yaml", named("vault2"));
    const ran = await world.realmctl("apply", { answer: () => "yes" });
    expect(flat(ran.err)).toContain('the answer was "yes", not');
    expect(() => world.channel("vault2")).toThrow("no channel vault2");
  });

  test("a journal is not configuration", async () => {
    await world.bringInLine("version: 1\nchannels: {general: {description: Other}}\n");
    const ran = await world.realmctl(`apply .realmctl/${world.journals()[0]} --yes`);
    expect(ran.code).toBe(EXIT.errors);
    expect(flat(ran.err)).toContain("it is a journal of a run (realmctl apply --undo takes it), not a configuration");
  });
});

describe("command lines", () => {
  test.each([
    { line: "apply --dry-run", code: "use/unknown-option", says: "realmctl plan shows what apply would do" },
    { line: "apply -auto-approve", code: "use/unknown-option", says: "here it is --yes" },
    { line: "plan -target=channel:x", code: "use/unknown-option", says: "here it is --only" },
    { line: "import x", code: "use/unknown-command", says: "realmctl adopt" },
    { line: "fmt -f realm.yaml", code: "use/unknown-option", says: "`realmctl fmt FILE`" },
    { line: "snapshot --file realm.yaml", code: "use/unknown-option", says: "realmctl snapshot --help" },
    { line: "plan --insecure=yes", code: "use/unknown-option", says: "is written --insecure" },
    { line: "nope --help", code: "use/unknown-command", says: "realmctl --help" },
    { line: "adopt --all --field colour --yes", code: "adopt/unknown-field", says: "realmctl drift shows" },
    { line: "adopt --all --field descripton --yes", code: "adopt/unknown-field", says: 'did you mean "description"?' },
    { line: "apply --plan a --undo b", code: "apply/two-sources", says: "name only one" },
    { line: "apply realm.yaml --plan a --undo b", code: "apply/two-sources", says: ": --plan and --undo cannot" },
    { line: "apply realm.yaml s.plan --yes", code: "organizations/no-realm", says: "name only s.plan" },
    { line: "test s.plan", code: "config/cannot-read", says: "it is a plan that realmctl saved" },
    { line: "apply --undo ./sub/../realm.yaml", code: "journal/no-journal", says: ": ./sub/../realm.yaml is not" },
    { line: "history --zuliprc none", code: "credentials/", says: "none" },
    { line: "plan --cert-bundle nope.pem", code: "credentials/certificate", says: "BEGIN CERTIFICATE" },
  ])("$line", async ({ line, code, says }) => {
    world.file("realm.yaml", "version: 1\nchannels: {general: {description: Other}}\n");
    world.file("s.plan", '{"format": "realmctl.plan", "version": 1, "realm": {"url": "https://chat.example.org"}}');
    const ran = await world.realmctl(line);
    expect(ran.code).not.toBe(EXIT.done);
    expect(ran.err).toContain(`error[${code}`);
    expect(flat(ran.err)).toContain(says);
    expect(world.writes()).toEqual([]);
  });

  test("if one field has nothing to adopt, the message is about that field only", async () => {
    world.file("realm.yaml", "version: 1\nchannels: {general: {description: Other}}\n");
    const ran = await world.realmctl("adopt --field privacy --yes");
    expect(ran).toMatchObject({
      code: EXIT.done,
      out: "Nothing to take: realm.yaml matches the server in privacy.\n",
    });
  });

  test("a field does not bring in a section that the file leaves to others", async () => {
    const file = "version: 1\nchannels: {general: {}}\n";
    world.file("realm.yaml", file);
    const ran = await world.realmctl("adopt --field message_retention_days --field description --yes");
    expect(ran).toMatchObject({ code: EXIT.done, err: "" });
    expect(ran.out).toContain("Nothing to take");
    expect(world.read("realm.yaml")).toBe(file);
  });

  test("the advice about a sandbox's data does not lead to deleting somebody's file", async () => {
    world.file("realm.yaml", "version: 1\n");
    const ran = await world.realmctl("sandbox --data realm.yaml");
    expect(ran.code).toBe(EXIT.errors);
    expect(ran.err).not.toContain("delete");
    expect(world.read("realm.yaml")).toBe("version: 1\n");
  });

  test("singular and plural agree; validate fits the terminal", async () => {
    world.file("realm.yaml", "version: 1\nchannels: {general: {}}\n");
    expect((await world.realmctl("plan")).out).toContain("1 channel matches.");
    expect((await world.realmctl("drift")).out).toContain("1 channel matches.");
    const { out } = await world.realmctl("validate", { env: { COLUMNS: "60" } });
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
