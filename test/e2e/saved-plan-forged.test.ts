import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { checksumOf, parsePlanFile, planFileText } from "../../src/apply/plan-file.ts";
import { EXIT, Failure } from "../../src/model/diagnostic.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { planInputs, readSavedPlan } from "../../src/workflow/saved.ts";
import fc from "../support/random.ts";
import { jsonOf, withChecksum } from "../support/saved.ts";
import { worldOfTests } from "./world.ts";

const FILE = `version: 1
policy: {protect: ["channel:Zulip"]}
channels:
  announce: {description: News}
  general: {description: All about Zulip, permissions: {can_send_message_group: role:moderators}}
user_groups:
  readers: {description: Who reads, members: [ada@acme.example]}
`;

const world = worldOfTests();
let text: string;
beforeEach(async () => {
  world.file("realm.yaml", FILE);
  expect(await world.realmctl("plan --out realm.plan")).toMatchObject({ code: EXIT.done });
  text = world.read("realm.plan");
});

const id = (name: string) => world.channel(name).stream_id;
const call = (operation: string, path: JsonObject, params: JsonObject): JsonObject => ({
  n: 4,
  operation,
  path,
  params,
  for: [{ address: "channel:general", fields: ["description"] }],
  expects: [],
  after: [],
  creates: [],
});
const listOf = (value: Json | undefined): readonly Json[] => (isList(value ?? null) && isList(value) ? value : []);

/** Plans that could mislead a reviewer: more calls than changes, calls that do something else, changes without calls. */
const ATTACKS: readonly { readonly fact: string; readonly forge: (plan: JsonObject) => JsonObject }[] = [
  {
    fact: "a protected channel is archived by a call without a change",
    forge: (plan) => ({ calls: [...listOf(plan.calls), call("archive-stream", { stream_id: id("Zulip") }, {})] }),
  },
  {
    fact: "an owner is invited",
    forge: (plan) => ({
      calls: [
        ...listOf(plan.calls),
        call("send-invites", {}, { invitee_emails: "mallory@example.org", invite_as: 100, stream_ids: [] }),
      ],
    }),
  },
  {
    fact: "a call does more than its change says",
    forge: (plan) => ({
      calls: listOf(plan.calls).map((item) =>
        isObject(item) && item.operation === "update-stream" && isObject(item.params)
          ? { ...item, params: { ...item.params, is_private: false } }
          : item,
      ),
    }),
  },
  {
    fact: "a call goes to another channel",
    forge: (plan) => ({
      calls: listOf(plan.calls).map((item) =>
        isObject(item) && item.operation === "update-stream" ? { ...item, path: { stream_id: id("Zulip") } } : item,
      ),
    }),
  },
  {
    fact: "a call has no expectations, so that it overwrites whatever is there",
    forge: (plan) => ({ calls: listOf(plan.calls).map((item) => ({ ...(isObject(item) ? item : {}), expects: [] })) }),
  },
  { fact: "a change is not shown", forge: (plan) => ({ changes: listOf(plan.changes).slice(1) }) },
  {
    fact: "a risk is not shown",
    forge: (plan) => ({
      changes: listOf(plan.changes).map((item) => ({ ...(isObject(item) ? item : {}), risks: [] })),
    }),
  },
  { fact: "a guard is not shown", forge: () => ({ guards: [] }) },
  { fact: "e-mails are not counted", forge: () => ({ side_effects: { emails: 7, notices_in: [] } }) },
];

describe("a plan that was edited and given a new checksum is refused by every command:", () => {
  test.each(ATTACKS)("$fact", async ({ forge }) => {
    const plan = jsonOf(text);
    world.file("realm.plan", withChecksum({ ...plan, ...forge(plan) }));
    const { checksum } = JSON.parse(world.read("realm.plan")).extra;
    const lines = [
      ...["text", "json", "html", "markdown"].map((format) => `show --format ${format} realm.plan`),
      "show --checksum realm.plan",
      "apply realm.plan --yes",
      `apply realm.plan --yes --checksum ${checksum}`,
    ];
    for (const line of lines) {
      const { code, out, err } = await world.realmctl(line);
      expect({ line, code }).toEqual({ line, code: EXIT.errors });
      expect(`${out}${err}`).toContain("plan-file/not-its-own");
      expect(out).not.toContain("All about Zulip");
    }
    expect(world.writes()).toEqual([]);
  });
});

test("the refusal names the call without a reason", async () => {
  const plan = jsonOf(text);
  const calls = [...listOf(plan.calls), call("archive-stream", { stream_id: id("Zulip") }, {})];
  world.file("realm.plan", withChecksum({ ...plan, calls }));
  const { err } = await world.realmctl("show realm.plan");
  expect(err.replace(/\s+/g, " ")).toContain("none of its changes needs call 4 (archive-stream) in this form");
});

/** Changes the data from which the plan was made, and plans again from it, as realmctl would. */
async function remake(changed: (snapshot: Snapshot) => Snapshot): Promise<void> {
  const { inputs } = parsePlanFile(world.read("realm.plan"), "realm.plan");
  const planned = await planInputs({ ...inputs, snapshot: changed(inputs.snapshot) });
  if (!planned.ok) throw new RangeError(planned.diagnostics.map(({ code }) => code).join());
  world.file("realm.plan", await planFileText(planned.value.plan, planned.value));
}

describe("an intact plan made from a falsified snapshot:", () => {
  const swapped = (first: string, second: string) => (name: string) =>
    name === first ? second : name === second ? first : name;

  test("swapped names of channels: the reviewed channel is not the one that would be changed", async () => {
    const swap = swapped("general", "Zulip");
    await remake((snapshot) => ({
      ...snapshot,
      channels: snapshot.channels.map((item) => ({ ...item, name: swap(item.name) })),
    }));
    const { code, out } = await world.realmctl("apply realm.plan --yes");
    expect(code).toBe(EXIT.conflict);
    expect(out.replace(/\s+/g, " ")).toContain(`channel ${id("Zulip")} was "general" and is "Zulip"`);
    expect(world.writes()).toEqual([]);
  });

  test("swapped names of groups: moderators become everybody", async () => {
    const swap = swapped("role:moderators", "role:fullmembers");
    await remake((snapshot) => ({
      ...snapshot,
      user_groups: snapshot.user_groups.map((item) => ({ ...item, name: swap(item.name) })),
    }));
    const { code, out } = await world.realmctl("apply realm.plan --yes");
    expect(code).toBe(EXIT.conflict);
    expect(out).toContain("plan/other-names");
    expect(world.writes()).toEqual([]);
  });

  test("swapped addresses", async () => {
    const mallory = world.sandbox.accounts["grace@acme.example"] === undefined ? "admin" : "grace@acme.example";
    const other = world.sandbox.accounts[mallory]?.email ?? "";
    const swap = swapped("ada@acme.example", other);
    await remake((snapshot) => ({
      ...snapshot,
      users: snapshot.users.map((item) => ({
        ...item,
        email: swap(item.email),
        delivery_email: item.delivery_email === null ? null : swap(item.delivery_email),
      })),
    }));
    const { code } = await world.realmctl("apply realm.plan --yes");
    expect(code).toBe(EXIT.conflict);
    expect(world.writes()).toEqual([]);
  });

  test("enough invented channels to make the removals a small share: guards count in the real organization", async () => {
    world.file(
      "realm.yaml",
      "version: 1\npolicy: {limits: {channels: {removals_percent: 5}}}\nchannels:\n  sandbox: {archived: true}\n  general: {archived: true}\n",
    );
    expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.refusedByGuard);
    await remake((snapshot) => {
      const [first] = snapshot.channels;
      if (first === undefined) return snapshot;
      const more = Array.from({ length: 200 }, (_, n) => ({ ...first, stream_id: 5000 + n, name: `invented ${n}` }));
      return { ...snapshot, channels: [...snapshot.channels, ...more] };
    });
    expect((await world.realmctl("show realm.plan")).out).not.toContain("refused by a guard");
    const { code, out } = await world.realmctl("apply realm.plan --yes");
    expect(code).toBe(EXIT.refusedByGuard);
    expect(out).toContain("guard/refused");
    expect(world.writes()).toEqual([]);
  });
});

test("an object of the plan was renamed in the meantime: it is not the reviewed one", async () => {
  await world.edit("admin", "PATCH", `/streams/${id("general")}`, { new_name: "board of directors" });
  const before = world.writes().length;
  const { code, out } = await world.realmctl("apply realm.plan --yes");
  expect(code).toBe(EXIT.conflict);
  expect(out.replace(/\s+/g, " ")).toContain('was "general" and is "board of directors"');
  expect(world.writes()).toHaveLength(before);
});

test("a name that the plan does not use may change", async () => {
  await world.edit("admin", "PATCH", `/streams/${id("sandbox")}`, { new_name: "playground" });
  expect((await world.realmctl("apply realm.plan --yes")).code).toBe(EXIT.done);
});

test.each(["text", "json", "html", "markdown"])(
  "show --format %s has every call with all that it sends",
  async (format) => {
    const { code, out } = await world.realmctl(`show --all --format ${format} realm.plan`);
    expect(code).toBe(EXIT.done);
    const plain = out
      .replaceAll(/&quot;|&#34;/g, '"')
      .replaceAll(/&#(\d+);/g, (_, n) => String.fromCodePoint(Number(n)));
    const { calls } = parsePlanFile(text, "x").plan;
    expect(calls.length).toBe(3);
    for (const { n, operation } of calls)
      expect(plain).toMatch(
        format === "json" ? new RegExp(`"operation": "${operation}"`) : new RegExp(`${n}\\. ${operation} `),
      );
    expect(plain).toContain("All about Zulip");
  },
);

describe("an edit", () => {
  /** The requests of a plan as the file has it; undefined if it is refused. */
  async function sentBy(edited: string): Promise<string | undefined> {
    try {
      const { plan } = await readSavedPlan(edited, "realm.plan");
      return JSON.stringify(plan.calls);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  test("of any byte is refused or leaves the calls the same", async () => {
    const sent = await sentBy(text);
    expect(sent).toBeDefined();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.oneof(fc.constant(""), fc.string({ minLength: 1, maxLength: 2, unit: "binary-ascii" })),
        fc.integer({ min: 0, max: 2 }),
        async (at, put, cut) => {
          const by = await sentBy(text.slice(0, at) + put + text.slice(at + cut));
          expect([undefined, sent]).toContain(by);
        },
      ),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 24) },
    );
  });

  test("of any value, with a new checksum, is refused or leaves the calls the same", async () => {
    const whole = jsonOf(text);
    const sent = await sentBy(text);
    const paths = pathsOf(whole);
    let [refused, tried] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.nat(paths.length - 1), fc.constantFrom(...EDITS), async (index, edit) => {
        const edited = editAt(whole, paths[index] ?? [], edit);
        const by = await sentBy(withChecksum(isObject(edited) ? edited : {}));
        tried += 1;
        if (by === undefined) refused += 1;
        expect([undefined, sent]).toContain(by);
      }),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 24) },
    );
    expect(refused / tried).toBeGreaterThan(0.85);
  });

  type Edit = (value: Json) => Json | undefined;
  const EDITS: readonly Edit[] = [
    () => undefined,
    () => null,
    (value) => (typeof value === "number" ? value + 1 : typeof value === "string" ? `${value}x` : [value]),
    (value) => (isList(value) && value.length > 0 ? [...value, value[0] ?? null] : 0),
    (value) => (isList(value) ? [...value].reverse() : typeof value === "boolean" ? !value : {}),
  ];

  function pathsOf(value: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
    if (!isList(value) && !isObject(value)) return [path];
    const inner = Object.entries(value).flatMap(([key, item]) =>
      pathsOf(item, [...path, isList(value) ? Number(key) : key]),
    );
    return path.length === 0 ? inner : [path, ...inner];
  }

  function editAt(value: Json, [key, ...rest]: readonly (string | number)[], edit: Edit): Json | undefined {
    if (key === undefined) return edit(value);
    if (isList(value))
      return value.flatMap((item, index) => (index === key ? [editAt(item, rest, edit) ?? []].flat(0) : [item]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) => {
        const edited = name === key ? editAt(item, rest, edit) : item;
        return edited === undefined ? [] : [[name, edited]];
      }),
    );
  }
});

describe("signed plans", () => {
  const KEY = "0123456789abcdef0123456789abcdef";
  const sign = (more = "") =>
    world.realmctl(`plan --out signed.plan --sign-with env:PLAN_KEY ${more}`, { env: { PLAN_KEY: KEY } });
  const apply = (file: string, key = KEY) =>
    world.realmctl(`apply ${file} --yes --verify-with env:PLAN_KEY`, { env: { PLAN_KEY: key } });

  test("are applied with the key that signed them", async () => {
    expect((await sign()).err).toContain(", signed");
    expect((await world.realmctl("show signed.plan")).err).toContain(
      "It carries a signature (hmac-sha256), which only realmctl apply --verify-with KEY checks.",
    );
    expect(await apply("signed.plan")).toMatchObject({ code: EXIT.done });
    expect(world.writes()).not.toEqual([]);
  });

  test.each([
    ["{users: [ada@acme.example]}", EXIT.refusedByGuard],
    ["{users: [ada@acme.example], exact: true}", EXIT.done],
  ])("take somebody off the list of a private channel only if it says that it is whole: %s", async (list, code) => {
    const file = (subscribers: string) =>
      `version: 1\nchannels: {vault: {privacy: private_shared_history, subscribers: ${subscribers}}}\n`;
    await world.bringInLine(file("{users: [ada@acme.example, elif@acme.example]}"));
    world.file("realm.yaml", file(list));
    await sign();
    expect((await apply("signed.plan")).code).toBe(code);
    const readers = Object.values(world.sandbox.state().subscriptions[id("vault")] ?? {});
    expect(readers.filter(({ active }) => active)).toHaveLength(code === EXIT.done ? 1 : 2);
  });

  test("a key in a file works like one in a variable", async () => {
    world.file("key", `${KEY}\n`);
    expect((await world.realmctl("plan --out signed.plan --sign-with key")).code).toBe(EXIT.done);
    expect((await apply("signed.plan")).code).toBe(EXIT.done);
  });

  test.each([
    { fact: "an unsigned plan", file: "realm.plan", key: KEY, says: "plan-file/not-signed", code: EXIT.conflict },
    {
      fact: "a plan signed with another key",
      file: "signed.plan",
      key: KEY.replace("0", "1"),
      says: "plan-file/other-signature",
      code: EXIT.conflict,
    },
    {
      fact: "a key that can be guessed",
      file: "signed.plan",
      key: "secret",
      says: "sign/short-key",
      code: EXIT.errors,
    },
  ])("$fact is refused", async ({ file, key, says, code }) => {
    await sign();
    const ran = await apply(file, key);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(`error[${says}]`)]);
    expect(world.writes()).toEqual([]);
  });

  test("another plan under the signature of this one is refused", async () => {
    await sign();
    const { signature } = JSON.parse(world.read("signed.plan"));
    world.file("realm.yaml", FILE.replace("News", "Other news"));
    await world.realmctl("plan --out other.plan");
    world.file("other.plan", withChecksum({ ...jsonOf(world.read("other.plan")), signature }));
    expect(checksumOf(parsePlanFile(world.read("other.plan"), "x"))).toMatch(/^[0-9a-f]{64}$/);
    const ran = await apply("other.plan");
    expect([ran.code, ran.err]).toEqual([EXIT.conflict, expect.stringContaining("error[plan-file/other-signature]")]);
  });

  test("with an SSH key: the signer is shown, and no other signature counts", async () => {
    const key = (name: string) => join(world.directory, name);
    for (const name of ["ada", "mallory"])
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key(name)]);
    world.file("allowed", `ada@acme.example ${world.read("ada.pub")}`);
    expect((await world.realmctl("plan --out ada.plan --sign-with ssh:ada")).code).toBe(EXIT.done);
    expect((await world.realmctl("plan --out mallory.plan --sign-with ssh:mallory")).code).toBe(EXIT.done);
    const refused = await world.realmctl("apply mallory.plan --yes --verify-with ssh:allowed");
    expect([refused.code, refused.err]).toEqual([EXIT.conflict, expect.stringContaining("plan-file/other-signature")]);
    expect(world.writes()).toEqual([]);
    const { code, err } = await world.realmctl("apply ada.plan --yes --verify-with ssh:allowed");
    expect([code, err]).toEqual([EXIT.done, expect.stringContaining("Signed by ada@acme.example.")]);
  });

  test("an unsuitable key is reported before anything is saved", async () => {
    const { code, err } = await world.realmctl("plan --out no.plan --sign-with ssh:missing");
    expect([code, err]).toEqual([EXIT.errors, expect.stringContaining("error[sign/ssh-keygen]")]);
    expect(() => world.read("no.plan")).toThrow();
  });

  test.each([
    { line: "plan --sign-with key", says: "plan/sign-without-out" },
    { line: "apply --verify-with key", says: "apply/verify-without-plan" },
    { line: "plan --out no.plan --sign-with env:NOBODY", says: "sign/no-key" },
  ])("$line: $says", async ({ line, says }) => {
    const { code, err } = await world.realmctl(line);
    expect([code, err]).toEqual([EXIT.errors, expect.stringContaining(`error[${says}]`)]);
  });
});
