import { describe, expect, test } from "vitest";
import { testSnapshot } from "../../test/html/realm.ts";
import {
  change,
  EMPTY_PLAN,
  field,
  HOSTILE_PLAN,
  LARGE_PLAN,
  MIXED_PLAN,
  protection,
  quoting,
  risk,
} from "../../test/support/example-plans.ts";
import fc from "../../test/support/random.ts";
import type { Plan } from "../model/plan.ts";
import { accessInPlan, accessMatrix } from "./access.ts";
import { renderPlanHtml } from "./html.ts";

const html = (plan: Plan, all = false) =>
  renderPlanHtml(plan, accessInPlan(plan), { applyWith: "realmctl apply", all });

/** Every tag of a page, attributes included, in order. Our own quoted attributes hold no `>`. */
const tagsOf = (page: string) => page.match(/<[!/a-z][^>]*>/gi) ?? [];
const shapeOf = (page: string) =>
  [...new Set(tagsOf(page).map((tag) => tag.replace(/ (?:content|class|title)="[^"]*"/g, "")))].sort();

describe("one self-contained page", () => {
  test.each([
    ["mixed", MIXED_PLAN],
    ["empty", EMPTY_PLAN],
    ["hostile", HOSTILE_PLAN],
  ])("%s: no address to load, and no link to follow", (_, plan) => {
    const page = html(plan);
    expect(page.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    expect(page).toContain("default-src 'none'");
    for (const tag of tagsOf(page)) {
      expect(tag).not.toMatch(/\s(?:src|on\w+|style|srcset|action)=/i);
      const place = /^<a href="#([\w-]+)">$/.exec(tag)?.[1];
      if (place !== undefined) expect(page.split(`<section id="${place}" `)).toHaveLength(2);
      else if (/\shref=/.test(tag)) expect(tag).toBe('<link rel="icon" href="data:,">');
    }
    expect(tagsOf(page).filter((tag) => /^<(?:script|style|iframe|img|object|form|base|svg)/.test(tag))).toEqual([
      "<style>",
      "<script>",
    ]);
  });

  test("has the same content as the text: risks first, then the changes, then the command", () => {
    const page = html(MIXED_PLAN);
    const places = ["becomes readable by 31 more people", 'id="risks"', "#incidents</bdi>", "realmctl apply"].map(
      (text) => page.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(page.indexOf("Risks:")).toBeLessThan(page.indexOf("<dl>"));
    expect(page.indexOf("<dl>")).toBeLessThan(page.indexOf("Apply with"));
  });

  test("shows the worst risks first, whatever the order of the changes is", () => {
    const risks = (["noisy", "widens", "irreversible", "lockout"] as const).map((kind) =>
      risk(kind, kind, `risk ${kind}`),
    );
    const page = html({ ...EMPTY_PLAN, changes: [change({ action: "update", name: "c", risks })] });
    expect([...page.matchAll(/risk (\w+) is/g)].map(([, kind]) => kind)).toEqual([
      "lockout",
      "irreversible",
      "widens",
      "noisy",
    ]);
  });

  test("names the account, the level and the time of the reading, and the sandbox if the plan is for one", () => {
    const { account, server, realm } = EMPTY_PLAN;
    const page = html({ ...EMPTY_PLAN, account: { ...account, is_bot: true } });
    for (const text of [account.full_name, "(bot, ", `level ${server.feature_level}`, "read 20"])
      expect(page).toContain(text);
    expect(html({ ...EMPTY_PLAN, account: { ...account, is_bot: false } })).not.toContain("(bot, ");
    expect(page).not.toContain("a sandbox of");
    expect(html({ ...EMPTY_PLAN, realm: { ...realm, sandbox_of: "https://chat.example.org" } })).toContain(
      "a sandbox of",
    );
  });

  test("says what a plan of a part leaves out", () => {
    const partial = { only: [{ pattern: "channel:hall" }], except: [], taken_along: [], left_out: [] };
    expect(html({ ...EMPTY_PLAN, extra: { partial } })).toContain('<p id="partial"><strong>Partial:</strong> ');
    expect(html(EMPTY_PLAN)).not.toContain('id="partial"');
  });

  test("without changes, the page says so", () => expect(html(EMPTY_PLAN)).toContain("<strong>No changes.</strong>"));
});

describe("with any names and texts", () => {
  // The tags of a page with harmless names: there are no others, whatever the names are.
  const named = (text: string): Plan => ({
    ...EMPTY_PLAN,
    realm: { url: `https://x/${text}`, name: text },
    account: { ...EMPTY_PLAN.account, full_name: text },
    changes: [
      change({
        action: "update",
        name: text,
        was: `${text}2`,
        at: { file: text, line: 1, column: 1, endLine: 1, endColumn: 2 },
        fields: [
          field(text, text, [text]),
          field("description", `${text} a b`, `c ${text} d`),
          field("privacy", "public", text),
        ],
        risks: [risk("widens", text, text)],
      }),
    ],
    unmanaged: [{ section: "channels", policy: "additive", names: [text] }],
    guards: [protection(text)],
    warnings: [quoting(text)],
  });
  const shape = shapeOf(html(named("harmless")));
  const HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt;",
    "' onload='x",
    "<!--",
    "]]>",
    "\u202egnp.exe",
    "\u0000",
    "&#x3c;script&#x3e;",
    "</title>",
    "${x}",
    "`",
    "\ud800",
  ];

  test.each(HOSTILE)("%j adds no element", (text) => expect(shapeOf(html(named(text)))).toEqual(shape));

  test("adds no element for random names, too", () => {
    const part = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("<", ">", "&", '"', "'", "/", "=", "\n"),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const page = html(named(parts.join("")));
        expect(shapeOf(page)).toEqual(shape);
        // No characters that reorder or hide text, and no control characters.
        expect(page).not.toMatch(/[\p{Bidi_Control}\u200b\ufeff]|(?!\n)\p{Cc}/u);
      }),
      { numRuns: 150 },
    );
  });
});

describe("large plans", () => {
  const many: Plan = {
    ...EMPTY_PLAN,
    changes: Array.from({ length: 10_000 }, (_, index) =>
      change({
        action: "update",
        name: `team-${index}`,
        fields: [field("can_send_message_group", "role:everyone", `group-${index}`)],
        risks: [
          {
            kind: "irreversible",
            fact: { kind: "messages-deleted-everywhere", days: index },
            address: "settings:organization",
          },
          risk("narrows", `team-${index}`, `#team-${index}`),
        ],
      }),
    ),
  };

  test("ten thousand different changes: every name is shown, omissions are counted, and the page stays small", () => {
    const page = html(many);
    expect(page.length).toBeLessThan(3_000_000);
    for (const index of [0, 499, 500, 9_999]) expect(page).toContain(`#team-${index}</bdi>`);
    expect(page).toContain("9,500 more changes, names only");
    expect(page).toContain("Not on this page: 19,800 more risks");
    expect(page).toContain("Not in this table: 9,500 channels that change.");
  });

  test("similar changes are one entry with every name", () => {
    const page = html(LARGE_PLAN);
    expect(page).toContain("800 channels alike");
    expect(page).toContain("<bdi>team-799</bdi>");
  });
});

describe("the access matrix", () => {
  const plan: Plan = {
    ...EMPTY_PLAN,
    changes: [
      change({ action: "update", name: "open", id: 1, fields: [field("privacy", "public", "private_shared_history")] }),
      change({
        action: "update",
        name: "room",
        was: "secret",
        id: 2,
        fields: [field("can_subscribe_group", "role:nobody", "staff")],
      }),
      change({ action: "create", name: "fresh", fields: [field("privacy", null, "public")] }),
      change({
        action: "update",
        kind: "user_group",
        name: "staff",
        id: 20,
        fields: [field("members", ["ann@example.org"], ["ann@example.org", "bob@example.org"])],
      }),
    ],
  };
  const { rights, rows } = accessMatrix(plan, testSnapshot());
  const cell = (name: string, right: string) => rows.find((row) => row.name === name)?.cells[rights.indexOf(right)];

  test.each([
    // ann, bob and the owner; the guest is subscribed to #open, the bot does not count
    { name: "open", right: "reads", before: 4, after: 2, shift: "narrows" },
    // Through the group: bob is in staff only after the plan.
    { name: "room", right: "reads", before: 1, after: 3, shift: "widens" },
    // Everybody who reads a channel may subscribe to it: before, its one subscriber, and the people whom the group admits.
    { name: "room", right: "can_subscribe_group", before: 1, after: 3, shift: "widens" },
    { name: "still", right: "reads", before: 3, after: 3, shift: "same" },
    { name: "still", right: "can_send_message_group", before: 1, after: 2, shift: "widens" },
    { name: "fresh", right: "reads", before: undefined, after: 3, shift: "new" },
  ])("#$name, $right: $before → $after", ({ name, right, before, after, shift }) => {
    const found = cell(name, right);
    expect({ before: found?.before?.people, after: found?.after?.people, shift: found?.shift }).toEqual({
      before,
      after,
      shift,
    });
  });

  test("a group with another name is not another setting, and does not affect a channel with that name", () => {
    const renames: Plan = {
      ...EMPTY_PLAN,
      changes: [change({ action: "update", kind: "user_group", name: "crew", was: "staff", id: 20 })],
    };
    const matrix = accessMatrix(renames, testSnapshot());
    expect(matrix.rows.filter(({ isTouched }) => isTouched)).toEqual([]);
    const still = matrix.rows.find(({ name }) => name === "still");
    expect(still?.cells[matrix.rights.indexOf("can_send_message_group")]).toMatchObject({
      // Both with the name that the plan gives, as everywhere in a plan.
      before: { value: "crew" },
      after: { value: "crew" },
      shift: "same",
    });
    const page = renderPlanHtml(renames, matrix, { applyWith: "" });
    expect(page).toContain("Nobody gains or loses access.");
    expect(page).not.toContain("another setting");
  });

  test("two groups that swap their names are not other settings", () => {
    const snapshot = testSnapshot();
    const groups = snapshot.user_groups.flatMap((one) =>
      one.id === 20 ? [one, { ...one, id: 21, name: "night", members: [3] }] : [one],
    );
    const swaps: Plan = {
      ...EMPTY_PLAN,
      changes: [
        change({ action: "update", kind: "user_group", name: "night", was: "staff", id: 20 }),
        change({ action: "update", kind: "user_group", name: "staff", was: "night", id: 21 }),
      ],
    };
    const matrix = accessMatrix(swaps, { ...snapshot, user_groups: groups });
    expect(matrix.rows.filter(({ isTouched }) => isTouched)).toEqual([]);
  });

  test("a channel that is unarchived is not a new one", () => {
    const snapshot = testSnapshot();
    const channels = snapshot.channels.map((one) => (one.name === "open" ? { ...one, is_archived: true } : one));
    const back: Plan = {
      ...EMPTY_PLAN,
      changes: [change({ action: "update", name: "open", id: 1, fields: [field("archived", true, false)] })],
    };
    const matrix = accessMatrix(back, { ...snapshot, channels });
    const row = matrix.rows.find(({ name }) => name === "open");
    expect(row).toMatchObject({ state: "unarchived", isTouched: true });
    expect(row?.cells[matrix.rights.indexOf("reads")]?.shift).toBe("same");
    expect(row?.cells[matrix.rights.indexOf("can_send_message_group")]?.shift).toBe("reopened");
    const page = renderPlanHtml(back, matrix, { applyWith: "" });
    expect(page).not.toContain("new channel");
    expect(page).toContain("was archived, can be used again");
  });

  test.each([
    { what: "the owner of a subscribed bot reads", archived: false, before: 2, note: undefined },
    { what: "subscribers of an archived private channel still read it", archived: true, before: 2, note: "archived" },
  ])("$what", ({ archived, before, note }) => {
    const snapshot = testSnapshot();
    // bob owns the bot.
    const users = snapshot.users.map((one) => (one.user_id === 5 ? { ...one, bot_owner_id: 3 } : one));
    const channels = snapshot.channels.map((one) => (one.stream_id === 2 ? { ...one, is_archived: archived } : one));
    const subscribers = { ...snapshot.subscribers, 2: [1, 5] };
    const joins = change({
      action: "update",
      kind: "user_group",
      name: "staff",
      id: 20,
      fields: [field("members", ["ann@example.org"], ["ann@example.org", "gus@example.org"])],
    });
    const matrix = accessMatrix({ ...EMPTY_PLAN, changes: [joins] }, { ...snapshot, users, channels, subscribers });
    const row = matrix.rows.find(({ name }) => name === "secret");
    const cell = (right: string) => row?.cells[matrix.rights.indexOf(right)];
    expect([row?.note, cell("reads")?.after?.people]).toEqual([note, before]);
    // Administrators may add subscribers while it is archived, too; nobody can post there.
    expect(cell("can_send_message_group")?.after?.people).toBe(archived ? undefined : 2);
  });

  test("a new owner of a subscribed bot is one reader more, and so is a member who may come into an archived channel that becomes public", () => {
    const snapshot = testSnapshot();
    const channels = snapshot.channels.map((one) => (one.stream_id === 2 ? { ...one, is_archived: true } : one));
    const given = change({
      action: "update",
      kind: "bot",
      name: "bot",
      id: 5,
      fields: [field("owner", "own@example.org", "bob@example.org")],
    });
    const shiftOf = (changes: readonly ReturnType<typeof change>[], list = snapshot.channels) => {
      const subscribers = { ...snapshot.subscribers, 2: [5] };
      const matrix = accessMatrix({ ...EMPTY_PLAN, changes }, { ...snapshot, channels: list, subscribers });
      const [reads] = matrix.rows.find(({ name }) => name === "secret")?.cells ?? [];
      return [reads?.before?.people, reads?.after?.people, reads?.shift];
    };
    expect(shiftOf([given])).toEqual([1, 1, "moves"]);
    const opened = change({
      action: "update",
      name: "secret",
      id: 2,
      fields: [field("privacy", "private_shared_history", "public")],
    });
    expect(shiftOf([opened], channels)).toEqual([1, 3, "widens"]);
  });

  test("every cell names its right, for readers who cannot see columns", () => {
    const page = renderPlanHtml(plan, accessMatrix(plan, testSnapshot()), { applyWith: "" });
    const cells = page.match(/<td[^>]*>/g) ?? [];
    expect(cells.length).toBeGreaterThan(10);
    for (const one of cells) expect(one).toMatch(/data-right="[a-z ]+"|class="dim none"/);
  });

  test("without the subscribers, numbers of a private channel are limits", () => {
    const matrix = accessMatrix(plan, { ...testSnapshot(), subscribers: null });
    const row = matrix.rows.find(({ name }) => name === "room");
    expect(row?.cells[0]).toMatchObject({
      before: { people: 0, bound: "least" },
      after: { people: 2, bound: "least" },
    });
  });

  test("a saved plan alone shows its changes, and says that nobody was counted", () => {
    const matrix = accessInPlan(plan);
    expect(matrix.rows.map(({ name }) => name)).toEqual(["open", "room", "fresh"]);
    expect(renderPlanHtml(plan, matrix, { applyWith: "" })).toContain("does not say who is in which group");
  });
});
