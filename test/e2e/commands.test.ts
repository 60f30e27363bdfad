import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { isWrite, World, worldOfTests } from "./world.ts";

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

  test("--detailed-exit-code: 2 if there are changes, 0 if there are none", async () => {
    expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.changesPending);
    await world.realmctl("apply --yes");
    expect((await world.realmctl("plan --detailed-exit-code")).code).toBe(EXIT.done);
  });

  test("--format json is the plan, and nothing else, on stdout", async () => {
    const { out } = await world.realmctl("plan --format json");
    expect(JSON.parse(out)).toMatchObject({ format: "realmctl.plan", exit_code: 0, summary: { create: 1, update: 1 } });
  });

  test("--snapshot needs no server and no credentials", async () => {
    await world.realmctl("snapshot --out realm.json");
    const before = world.sandbox.log.length;
    const { code, out } = await world.realmctl("plan --snapshot realm.json", { anonymous: true });
    expect(code).toBe(EXIT.done);
    expect(out).toContain("+ #announce");
    expect(world.sandbox.log).toHaveLength(before);
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

  test("a file that is not there", async () => {
    const { code, err } = await world.realmctl("plan nowhere.yaml");
    expect(code).toBe(EXIT.errors);
    expect(err).toContain("nowhere.yaml");
    expect(err).not.toMatch(/\bat .*\.ts:/);
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

  test.each([
    { says: undefined, fact: "cancels" },
    { says: "", fact: "only presses enter" },
    { says: "no", fact: "says no" },
  ])("somebody who $fact: nothing is sent", async ({ says }) => {
    const { code, err } = await world.realmctl("apply", { answer: () => says });
    expect({ code, last: err.endsWith("Nothing was sent.\n") }).toEqual({ code: EXIT.appliedInPart, last: true });
    expect(world.writes()).toEqual([]);
  });

  test("somebody who says yes", async () => {
    world.file("realm.yaml", "version: 1\nchannels:\n  Zulip: {description: All about Zulip}\n");
    expect(await world.realmctl("apply", { answer: () => "yes" })).toMatchObject({ code: EXIT.done });
    expect(world.channel("Zulip").description).toBe("All about Zulip");
  });

  test("a plan with risks asks for the organization's address; yes is not enough", async () => {
    world.file("realm.yaml", "version: 1\nchannels:\n  sandbox: {archived: true}\n");
    expect((await world.realmctl("apply", { answer: () => "yes" })).code).toBe(EXIT.appliedInPart);
    expect(world.writes()).toEqual([]);
    const host = new URL(world.url).host;
    expect(await world.realmctl("apply", { answer: () => host })).toMatchObject({ code: EXIT.done });
    expect(world.channel("sandbox").is_archived).toBe(true);
  });

  test("--format json: the result alone on stdout", async () => {
    const { out } = await world.realmctl("apply --yes --format json");
    expect(JSON.parse(out)).toMatchObject({
      format: "realmctl.result",
      outcome: "applied",
      exit_code: 0,
      remaining: [],
    });
  });

  test("a change that somebody else makes while the plan is read is never overwritten", async () => {
    await world.realmctl("apply --yes");
    world.file(
      "realm.yaml",
      FILE.replace("role:moderators", "role:administrators").replace("News everybody", "What everybody"),
    );
    const before = world.writes().length;
    const { id } = { id: world.channel("announce").stream_id };
    const { code, out } = await world.realmctl("apply", {
      answer: async () => {
        await world.edit("admin", "PATCH", `/streams/${id}`, {
          can_send_message_group: { new: world.group("role:fullmembers") },
        });
        return new URL(world.url).host;
      },
    });
    expect(code).toBe(EXIT.conflict);
    expect(out).toMatch(/planned from +role:moderators\n +found +role:fullmembers\n +wanted +role:administrators/);
    // Only the other's own.
    expect(world.writes()).toHaveLength(before + 1);
  });

  test("--on-conflict replan plans again from the new state, and asks again", async () => {
    await world.realmctl("apply --yes");
    world.file("realm.yaml", FILE.replace("role:moderators", "role:administrators"));
    const id = world.channel("announce").stream_id;
    let asked = 0;
    const { code, out } = await world.realmctl("apply --on-conflict replan", {
      answer: async () => {
        asked += 1;
        const theirs = { new: world.group("role:fullmembers") };
        if (asked === 1) await world.edit("admin", "PATCH", `/streams/${id}`, { can_send_message_group: theirs });
        return new URL(world.url).host;
      },
    });
    expect({ code, asked }).toEqual({ code: EXIT.done, asked: 2 });
    expect(out).toContain("role:fullmembers → role:administrators");
    expect(world.channel("announce").can_send_message_group).toBe(world.group("role:administrators"));
  });

  test("a concurrent change elsewhere does not block", async () => {
    const id = world.channel("general").stream_id;
    const { code } = await world.realmctl("apply", {
      answer: async (question) => {
        await world.edit("admin", "PATCH", `/streams/${id}`, { description: "changed meanwhile" });
        return /yes/.test(question) ? "yes" : new URL(world.url).host;
      },
    });
    expect(code).toBe(EXIT.done);
    expect(world.channel("general").description).toBe("changed meanwhile");
  });

  test("an interrupted apply finishes the current call; the next apply does the rest", async () => {
    let interrupt = () => {};
    const stopping = await World.start({
      interceptors: [
        {
          before: async (request) => {
            if (isWrite(request)) interrupt();
            return undefined;
          },
        },
      ],
    });
    try {
      stopping.file("realm.yaml", FILE);
      const ran = await stopping.realmctl("apply --yes", {
        onStart: (given) => {
          interrupt = given;
        },
      });
      interrupt = () => {};
      expect(ran.code).toBe(EXIT.appliedInPart);
      expect(ran.err).toContain("Stopping after the call in progress");
      expect(stopping.writes()).toHaveLength(1);
      expect((await stopping.realmctl("apply --yes")).code).toBe(EXIT.done);
      expect((await stopping.realmctl("plan")).out).toContain("No changes.");
    } finally {
      await stopping.end();
    }
  });

  test("an interrupt does not wait for the rate limit: a rejected request is not sent again", async () => {
    let interrupt = () => {};
    let limited = true;
    const stopping = await World.start({
      interceptors: [
        {
          before: async (request) => {
            if (!isWrite(request) || !limited) return undefined;
            setImmediate(() => interrupt());
            const body = { result: "error", code: "RATE_LIMIT_HIT", msg: "API usage exceeded rate limit" };
            return Response.json(body, { status: 429, headers: { "retry-after": "3000" } });
          },
        },
      ],
    });
    try {
      stopping.file("realm.yaml", FILE);
      const ran = await stopping.realmctl("apply --yes", {
        onStart: (given) => {
          interrupt = given;
        },
      });
      expect(ran.code, ran.out).toBe(EXIT.appliedInPart);
      expect(ran.out).toContain("Stopped: nothing was sent.");
      limited = false;
      expect((await stopping.realmctl("apply --yes")).code).toBe(EXIT.done);
    } finally {
      await stopping.end();
    }
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

  test("is applied unchanged, even if the file has changed since", { tags: "installed" }, async () => {
    world.file("realm.yaml", "version: 1\nchannels: {}\n");
    expect(await world.realmctl("apply --plan realm.plan --yes")).toMatchObject({ code: EXIT.done });
    expect(world.channel("announce").description).toBe("News everybody should read");
  });

  test("may be named without --plan", async () => {
    world.file("realm.yaml", "version: 1\nchannels: {}\n");
    expect(await world.realmctl("apply realm.plan --yes")).toMatchObject({ code: EXIT.done });
    expect(world.channel("announce").description).toBe("News everybody should read");
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

  test("is refused if one of its fields changed since", async () => {
    await world.edit("admin", "PATCH", `/streams/${world.channel("Zulip").stream_id}`, { description: "theirs" });
    const before = world.writes().length;
    const { code, out } = await world.realmctl("apply --plan realm.plan --yes");
    expect(code).toBe(EXIT.conflict);
    expect(out).toContain("theirs");
    expect(world.writes()).toHaveLength(before);
  });

  test.each([
    { fact: "edited", args: "--plan realm.plan", edit: true, code: EXIT.errors, says: "plan-file/edited" },
    {
      fact: "not the reviewed plan",
      args: "--plan realm.plan --checksum 0",
      edit: false,
      code: EXIT.conflict,
      says: "plan-file/other-checksum",
    },
    {
      fact: "given together with a file",
      args: "realm.yaml --plan realm.plan",
      edit: false,
      code: EXIT.errors,
      says: "apply/two-sources",
    },
    {
      fact: "to be planned again",
      args: "--plan realm.plan --on-conflict replan",
      edit: false,
      code: EXIT.errors,
      says: "apply/replan-unseen",
    },
    { fact: "missing", args: "--plan other.plan", edit: false, code: EXIT.errors, says: "input/unreadable" },
  ])("is refused when it is $fact", async ({ args, edit, code, says }) => {
    if (edit) world.file("realm.plan", world.read("realm.plan").replace("News everybody", "Fake news everybody"));
    const ran = await world.realmctl(`apply --yes ${args}`);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(says);
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

  test("a file that is not a journal", async () => {
    const { code, err } = await world.realmctl("apply --yes --undo realm.yaml");
    expect(code).toBe(EXIT.errors);
    expect(err).toContain("error[journal/");
    expect(world.writes()).toEqual([]);
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
  test("none: exit code 0", async () => {
    await world.realmctl("apply --yes");
    expect(await world.realmctl("drift")).toMatchObject({ code: EXIT.done, out: expect.stringContaining("No drift.") });
  });

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
  });
});
