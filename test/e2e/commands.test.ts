import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTests } from "./world.ts";

const FILE = `version: 1
channels:
  announce:
    description: News everybody should read
    privacy: public
    permissions:
      can_send_message_group: role:moderators
  Zulip:
    description: All about Zulip
`;

const world = worldOfTests({ files: { "realm.yaml": FILE } });

describe("plan", () => {
  test("shows the changes, the account and the command, and changes nothing", async () => {
    const { code, out, err } = await world.realmctl("plan");
    expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
    expect(out).toContain("+ #announce");
    expect(out).toContain("Ada");
    expect(out).toContain("Apply with: realmctl apply");
    expect(world.writes()).toEqual([]);
  });

  test("takes at most three requests", async () => {
    await world.realmctl("plan");
    expect(world.sandbox.log.length).toBeLessThanOrEqual(3);
  });

  test("all errors of the file at once, including those that only the realm shows", { tags: "installed" }, async () => {
    world.file(
      "realm.yaml",
      `version: 1
channels:
  announce:
    privacy: secret
    permissions: {can_send_message_group: moderatrs}
  other: {permissions: {can_subscribe_group: nobody-knows}}
`,
    );
    const { code, out, err } = await world.realmctl("plan");
    expect({ code, out }).toEqual({ code: EXIT.errors, out: "" });
    expect(err).toContain("realm.yaml:4:14");
    expect(err).toContain("realm.yaml:5:43");
    expect(err).toContain("realm.yaml:6:46");
    expect(err).toContain("3 errors. Nothing was changed.");
  });

  test("--only plans a part and says so; what it leaves out is left out of the apply, too", {
    tags: "installed",
  }, async () => {
    const { code, out } = await world.realmctl("plan --only channel:ann*");
    expect(code).toBe(EXIT.done);
    expect(out).toContain("+ #announce");
    expect(out).not.toContain("~ Zulip");
    expect(out).toMatch(/^Partial +only channel:ann\* · left out: 1 change/m);
    const before = world.channel("Zulip").description;
    expect((await world.realmctl("apply --yes --only channel:ann*")).code).toBe(EXIT.done);
    expect(world.channel("announce").description).toBe("News everybody should read");
    expect(world.channel("Zulip").description).toBe(before);
  });
});

describe("apply", () => {
  test("does what the plan says; then a new plan is empty", async () => {
    const applied = await world.realmctl("apply --yes");
    expect(applied).toMatchObject({ code: EXIT.done, err: "" });
    expect(applied.out).toMatch(/Applied 2 of 2 writes in .*: .*\n.*the organization matches the file/);
    expect(world.channel("announce").description).toBe("News everybody should read");
    expect(world.journals()).toHaveLength(1);
    expect((await world.realmctl("plan")).out).toContain("No changes.");
  });

  test("nothing to do: nothing is sent, nobody is asked, no journal is written", async () => {
    await world.realmctl("apply --yes");
    const before = world.writes().length;
    const { code, out } = await world.realmctl("apply");
    expect(code).toBe(EXIT.done);
    expect(out).toContain("the organization matches the file");
    expect(world.writes()).toHaveLength(before);
    expect(world.journals()).toHaveLength(1);
  });

  test("without a terminal and without --yes nothing is sent", async () => {
    const { code, err } = await world.realmctl("apply");
    expect(code).toBe(EXIT.errors);
    expect(err).toContain("error[apply/nobody-to-ask]");
    expect(world.writes()).toEqual([]);
  });
});

describe("a saved plan", () => {
  beforeEach(async () => {
    await world.realmctl("plan --out realm.plan");
  });

  test("show says the same as plan did, and every call", async () => {
    const plan = await world.realmctl("plan");
    const shown = await world.realmctl("show realm.plan", { anonymous: true });
    expect(shown.code).toBe(EXIT.done);
    const body = (text: string) => text.split("\n").filter((line) => !/Apply with|^\S+ · as/.test(line));
    const [before = "", calls = ""] = shown.out.split("Every call, in order:\n");
    expect(body(before.trimEnd())).toEqual(body(plan.out.trimEnd()));
    expect(calls.split("\n").slice(0, 2)).toEqual([
      '  1. subscribe subscriptions=[{"name":"announce","description":"News everybody should read"}] can_send_message_group=12',
      '  2. update-stream stream_id=1 description="All about Zulip"',
    ]);
  });

  test("a second time: everything is already as planned, nothing is sent", async () => {
    await world.realmctl("apply --plan realm.plan --yes");
    const before = world.writes().length;
    const again = await world.realmctl("apply --plan realm.plan --yes");
    expect(again.code).toBe(EXIT.done);
    expect(again.out).toMatch(/✓ channels: already in place: #announce, #Zulip \(description\)/);
    expect(again.out).toContain("Nothing was sent: 2 of 2 writes were already in place.");
    expect(again.out.slice(again.out.indexOf("✓"))).not.toMatch(/created|changed/);
    expect(world.writes()).toHaveLength(before);
  });

  test("is refused when it is missing", async () => {
    const { code, err } = await world.realmctl("apply --yes --plan other.plan");
    expect(code).toBe(EXIT.errors);
    expect(err).toContain("error[input/unreadable]");
    expect(world.writes()).toEqual([]);
  });

  test("--checksum accepts the plan that was reviewed", { tags: "installed" }, async () => {
    const checksum = (await world.realmctl("show --checksum realm.plan")).out.trim();
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect((await world.realmctl(`apply --yes --plan realm.plan --checksum ${checksum}`)).code).toBe(EXIT.done);
  });
});

describe("apply --undo", () => {
  test("restores the previous state, and says what it cannot restore", { tags: "installed" }, async () => {
    const before = world.channel("Zulip").description;
    await world.realmctl("apply --yes");
    const [journal = ""] = world.journals();
    const { code, out, err } = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
    expect(code).toBe(EXIT.done);
    expect(out).toContain("the organization matches");
    expect(err).toContain("Not undone: #announce cannot be deleted. It is archived instead");
    expect(world.channel("Zulip").description).toBe(before);
    expect(world.channel("announce").is_archived).toBe(true);
  });

  test("does not change what somebody changed since", async () => {
    await world.realmctl("apply --yes");
    await world.edit("admin", "PATCH", `/streams/${world.channel("Zulip").stream_id}`, { description: "theirs" });
    const [journal = ""] = world.journals();
    const { err } = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
    expect(err).toContain("#Zulip description stays: it was changed again since");
    expect(world.channel("Zulip").description).toBe("theirs");
  });

  test("can be undone itself", async () => {
    await world.realmctl("apply --yes");
    const [first = ""] = world.journals();
    await world.realmctl(`apply --yes --undo .realmctl/${first}`);
    const second = world.journals().find((name) => name !== first) ?? "";
    expect((await world.realmctl(`apply --yes --undo .realmctl/${second}`)).code).toBe(EXIT.done);
    expect((await world.realmctl("plan")).out).toContain("No changes.");
  });
});

describe("on a terminal", () => {
  /** Both outputs are a terminal of 60 columns; returns what they show. */
  async function shown(line: string, env: { readonly [name: string]: string } = {}) {
    const seen = { out: "", err: "" };
    const terminal = (add: (text: string) => void) => ({ write: add, isTTY: true, columns: 60 });
    const out = terminal((text) => {
      seen.out += text;
    });
    const err = terminal((text) => {
      seen.err += text;
    });
    await world.realmctl(line, { io: { out, err }, env: { LANG: "C.UTF-8", ...env } });
    return seen;
  }
  const colourCode = "\u001b[";

  test("apply shows its progress on one line, which disappears at the end", async () => {
    const { err } = await shown("apply --yes");
    const lines = err.split("\r\u001b[2K");
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^\[0\/2\] .*announce/),
      expect.stringMatching(/^\[1\/2\] .*announce/),
      expect.stringMatching(/^\[1\/2\] .*Zulip/),
      expect.stringMatching(/^\[2\/2\] .*Zulip/),
      "",
    ]);
  });

  test("colour, unless NO_COLOR or --no-color", async () => {
    expect((await shown("plan")).out).toContain(colourCode);
    expect((await shown("plan --no-color")).out).not.toContain(colourCode);
    expect((await shown("plan", { NO_COLOR: "1" })).out).not.toContain(colourCode);
    // What stops a command, too.
    expect((await shown("plan nowhere.yaml")).err).toContain(colourCode);
    expect((await shown("plan nowhere.yaml --no-color")).err).not.toContain(colourCode);
  });

  test("nothing is wider than the terminal", async () => {
    const { out } = await shown("plan --no-color");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

describe("drift", () => {
  test("shows differences and unmanaged objects; exit code 2; changes nothing", async () => {
    await world.realmctl("apply --yes");
    await world.edit("admin", "PATCH", `/streams/${world.channel("announce").stream_id}`, { description: "by hand" });
    const before = world.writes().length;
    const { code, out } = await world.realmctl("drift");
    expect(code).toBe(EXIT.changesPending);
    expect(out).toContain("1 object differs");
    expect(out).toContain("by hand");
    expect(out).toContain("general");
    expect(world.writes()).toHaveLength(before);
  });

  test("as JSON", async () => {
    const { out } = await world.realmctl("drift --format json");
    expect(JSON.parse(out)).toMatchObject({
      format: "realmctl.drift",
      exit_code: 2,
      differences: [{ name: "announce" }, { name: "Zulip" }],
      unmanaged: [{ section: "channels", policy: "additive" }],
    });
  });

  test("as HTML, which cannot be combined with --watch", async () => {
    const { code, out } = await world.realmctl("drift --format html");
    expect(code).toBe(EXIT.changesPending);
    expect(out).toContain("<title>Drift of ");
    expect(out).toContain("#announce</bdi>");
    expect(out).toContain('id="access"');
    const watched = await world.realmctl("drift --watch --format html");
    expect([watched.code, watched.out]).toEqual([EXIT.errors, ""]);
    expect(watched.err).toContain("drift/watch-format");
    for (const others of ["--format html", "--coverage", "--watch"]) {
      const ignored = await world.realmctl(`drift --rules none.test.yaml ${others}`);
      expect([ignored.code, ignored.out], others).toEqual([EXIT.errors, ""]);
      expect(ignored.err, others).toContain("use/conflicting-options");
    }
  });
});
