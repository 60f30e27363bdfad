import { describe, expect, test } from "vitest";
import { alive } from "../../test/action/alive.ts";
import { EMPTY_PLAN, protection, quoting, risk } from "../../test/support/example-plans.ts";
import { codeIn, effectsOf, pageOf, shapeOf } from "../../test/support/forge-page.mjs";
import { commentOf } from "../../test/support/published.ts";
import fc from "../../test/support/random.ts";
import { clean } from "../model/clean.ts";
import type { Change, Plan, Risk, Update } from "../model/plan.ts";
import { renderPlanMarkdown } from "./markdown.ts";
import { codeText, fillBlocks, proseText, urlPath } from "./markdown-text.ts";

function change(index: number, more: Partial<Omit<Update, "action">> = {}): Update {
  const at = { file: "realm.yaml", line: index + 3, column: 3, endLine: index + 3, endColumn: 9 };
  const address = `channel:c${index}` as const;
  const fact = {
    kind: "readers",
    object: { address, name: `c${index}` },
    shift: "gained",
    people: index,
    at_most: false,
  } as const;
  const reading: Risk = { kind: "widens", fact, address, at };
  return {
    action: "update",
    kind: "channel",
    address,
    name: `c${index}`,
    id: index,
    fields: [
      { field: "description", before: `old ${index}`, after: `new ${index} ${"words ".repeat(index % 20)}`, at },
    ],
    at,
    risks: index % 3 === 0 ? [reading] : [],
    ...more,
  };
}

/** Of what has neither an id nor another name before. */
function asAction({ kind, address, name, fields, risks }: Change, action: "create" | "reorder"): Change {
  return { action, kind, address, name, fields, risks };
}

function planOf(changes: readonly Change[], more: Partial<Plan> = {}): Plan {
  const names = changes.map(({ name }) => `other ${name}`);
  return { ...EMPTY_PLAN, changes, unmanaged: [{ section: "channels", policy: "additive", names }], ...more };
}

test("a plan for a sandbox says which organization it was made from", () => {
  const realm = { url: "http://127.0.0.1:9911", name: "Example", sandbox_of: "https://chat.example.org" };
  expect(commentOf(planOf([], { realm })).split("\n")[0]).toContain("a sandbox of chat");
});

describe("the budget", () => {
  test.each([
    [0, false],
    [1, false],
    [100, false],
    [10_000, true],
  ])("%i changes fit into a comment, and omitted ones are counted: %s", (number, leftOut) => {
    // Each differs from the others, so that none are combined.
    const changes = Array.from({ length: number }, (_, index) =>
      change(
        index,
        index % 2 === 0 ? { was: `old-c${index}` } : { fields: [{ field: "folder", before: `f${index}`, after: "x" }] },
      ),
    );
    const half = Math.floor(number / 2);
    const text = renderPlanMarkdown({
      plan: planOf(changes),
      origin: { mine: changes.slice(0, half), earlier: changes.slice(half), adopted: [] },
      budget: 63_000,
      elsewhere: "the artifact",
    });
    expect(text.length).toBeLessThanOrEqual(63_000);
    const lefts = [...text.matchAll(/… and ([\d,.\s]+) more (\w+), left out here: the artifact/g)];
    expect(lefts.length > 0).toBe(leftOut);
    if (number === 0) expect(text).toContain("**nothing**");
    // The shown and the omitted entries add up to all, in every list.
    for (const [title, total] of [
      ["This pull request: ", half],
      ["Already different on the server: ", number - half],
    ] as const) {
      if (total === 0) continue;
      const block = text.slice(text.indexOf(title), text.indexOf("</details>", text.indexOf(title)));
      const shown = (block.match(/^- \*\*/gm) ?? []).length;
      const left = Number(/… and ([\d,]+) more change/.exec(block)?.[1]?.replaceAll(",", "") ?? 0);
      expect(shown + left).toBe(total);
      expect(shown).toBeGreaterThan(0);
    }
    const risks = (text.match(/^- ⚠️ (?!…)/gm) ?? []).length;
    const more = Number(/⚠️ … and (\S+) more risks/.exec(text)?.[1]?.replace(/\D/g, "") ?? 0);
    expect(risks + more).toBe(changes.filter((one) => one.risks.length > 0).length);
  });

  test("similar changes are one entry, however many, with the names that there is room for", () => {
    const changes = Array.from({ length: 10_000 }, (_, index) =>
      change(index, { risks: [], fields: [{ field: "folder", before: "a", after: "b" }] }),
    );
    const text = commentOf(planOf(changes, { unmanaged: [] }), { budget: 63_000, elsewhere: "x" });
    expect(text.match(/^- \*\*/gm)).toHaveLength(1);
    expect(text.length).toBeLessThan(63_000 * 0.1 + 2000);
    const [, names = "", left = ""] = /^ {2}- (.*) … and (\S+) more, left out here: x$/m.exec(text) ?? [];
    expect(names.split(", ").length + Number(left.replace(",", ""))).toBe(10_000);
  });

  const named = (start: string, number: number, own: Partial<Omit<Update, "action">> = {}) =>
    Array.from({ length: number }, (_, index) => change(index, { name: `${start} ${index}`, risks: [], ...own }));
  const removal = ({ kind, address, name }: Update): Change => ({
    action: "remove",
    kind,
    address,
    name,
    fields: [{ field: "archived", before: false, after: true }],
    risks: [],
  });

  test.each([
    { number: 38, budget: 60_000, whole: true },
    { number: 400, budget: 60_000, whole: true },
    { number: 2000, budget: 60_000, whole: false },
    { number: 5000, budget: 1_000_000, whole: true },
  ])("$number removals are named in a text of $budget, before what is changed", ({ number, budget, whole }) => {
    const changes = [
      ...named("changed", 3000, { fields: [{ field: "folder", before: "a", after: "b" }] }),
      ...named("Old team", number).map(removal),
    ];
    const text = commentOf(planOf(changes, { unmanaged: [] }), { budget, elsewhere: "the artifact" });
    expect(text.length).toBeLessThanOrEqual(budget);
    const shown = (text.match(/`Old team \d+`/g) ?? []).length;
    const left = /Old team \d+` … and (\S+) more, left out here: the artifact/.exec(text)?.[1]?.replace(",", "");
    expect(shown + Number(left ?? 0)).toBe(number);
    expect(left === undefined).toBe(whole);
    expect(text).toContain("`changed 7`");
    expect(text).toContain(" · archived · not in the file");
  });

  test("shows the worst risks first, whatever the order of the changes is", () => {
    const risks = (["noisy", "widens", "irreversible", "lockout"] as const).map((kind) =>
      risk(kind, kind, `risk ${kind}`),
    );
    const text = commentOf(planOf([change(1, { risks })]), { elsewhere: "x" });
    const shown = [...text.matchAll(/^- ⚠️ .*?risk (\w+)/gm)].map(([, kind]) => kind);
    expect(shown).toEqual(["lockout", "irreversible", "widens", "noisy"]);
  });

  test("the text never exceeds the budget, and a list says how much it leaves out", () => {
    const item = fc.string({ maxLength: 60 }).map((text) => text.replace(/\s/g, "."));
    fc.assert(
      fc.property(
        fc.array(fc.array(item, { maxLength: 40 }), { maxLength: 4 }),
        fc.integer({ min: 300, max: 3000 }),
        (lists, budget) => {
          const blocks = lists.map((items) => ({ items, share: 0.5, left: (number: number) => `left ${number}` }));
          const text = fillBlocks(blocks, budget);
          expect(text.length).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });
});

describe("one value of 80 KB", () => {
  const huge = "x<".repeat(40_000);
  const others = Array.from({ length: 20 }, (_, index) => change(index, { was: `old-c${index}` }));
  const huger = risk("widens", "huge", huge);
  const field = (name: string) => ({ field: name, before: huge, after: `${huge} ${huge}` });
  const [first] = others;
  test.each<{
    readonly where: string;
    readonly action?: "create" | "reorder";
    readonly huge: Partial<Omit<Update, "action">>;
    readonly more?: Partial<Plan>;
  }>([
    { where: "a description", huge: { fields: [field("description")] } },
    { where: "every field", huge: { fields: Array.from({ length: 30 }, (_, index) => field(`field ${index}`)) } },
    { where: "a field of a new object", action: "create", huge: { fields: [{ ...field("pattern"), before: null }] } },
    { where: "a name", huge: { name: huge, address: `channel:${huge}` } },
    { where: "an old name", huge: { was: huge } },
    { where: "the name of a field", huge: { fields: [field(huge)] } },
    {
      where: "an order",
      action: "reorder",
      huge: { fields: [{ field: "order", before: [huge, "a"], after: ["a", huge] }] },
    },
    { where: "a risk", huge: { risks: [huger] } },
    { where: "a guard rail", huge: {}, more: { guards: [protection(huge)] } },
    { where: "a warning", huge: {}, more: { warnings: [quoting(huge)] } },
    {
      where: "the names of unmanaged objects",
      huge: {},
      more: { unmanaged: [{ section: "channels", policy: "additive", names: [huge, "small"] }] },
    },
  ])("as $where does not hide anything else", ({ action, huge: own, more = {} }) => {
    const { id: _, ...whole } = change(900, own);
    const made: Change = action === undefined ? whole : asAction(whole, action);
    const changes = [made, ...others];
    const text = commentOf(planOf(changes, more), { budget: 63_000, elsewhere: "the artifact" });
    expect(text.length).toBeLessThan(40_000);
    for (const { name } of others) expect(text).toContain(`\`#${name}\``);
    for (const { risks } of others)
      for (const { address } of risks) expect(text).toContain(address.slice("channel:".length));
    expect(text).not.toMatch(/… and .* more change/);
  });

  test("a thousand guard rails that refuse leave room for the changes", () => {
    const guards = Array.from({ length: 1000 }, (_, index) => protection(`${index} ${huge}`));
    const text = commentOf(planOf(others, { guards }), { budget: 63_000, elsewhere: "the artifact" });
    expect(text.length).toBeLessThanOrEqual(63_000);
    expect(text).toMatch(/… and \d+ more guard rails, left out here: the artifact/);
    expect(text).toContain(first?.name);
  });

  test("as an entry of a list does not hide the others", () => {
    const items = ["a", "y".repeat(5000), "b", "c"];
    const text = fillBlocks([{ items, share: 1, left: (number) => `left ${number}` }], 1000);
    expect(text).toBe("a\nb\nc\nleft 1\n");
  });
});

describe("addresses", () => {
  test.each([
    "ada@example.org",
    "write to ada@example.org, please",
    "mailto:ada@example.org",
    "xmpp:ada@chat.example.org/x",
  ])("%s does not become a mailto link, in code and in sentences", (text) => {
    for (const shown of [codeText(text), proseText(text)]) {
      expect(alive(shown)).toEqual([]);
      expect(shown).toMatch(/`[^`]*ada@[^`]*`/);
    }
  });
});

/** Texts that try to break out. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    "@octocat",
    "@acme/owners",
    "#1",
    "acme/chat#12",
    "GH-3",
    "https://evil.example",
    "www.evil.example",
    "</code><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "`x`",
    "```\n",
    "::error::x",
    "::set-output name=a::b",
    "##[error]x",
    "\u001b[31m",
    "\u202eevil",
    "-->",
    "</details>",
    "| a | b |",
    "[x](javascript:alert(1))",
    "![x](https://evil.example/p.png)",
    "**bold**",
    "~~gone~~",
    "&lt;b&gt;",
    "$x$",
    "a@b.example",
    "\r\n\r\n# Title",
    "- item",
    "1. one",
    "> quote",
    "\\",
    ":+1:",
    "0123456789abcdef0123456789abcdef01234567",
    "PROJ-12",
    "!12",
    "~bug",
    "%1",
    "/merge",
    "$`x`$",
    "{+a+}",
    "[x][1]",
    "[1]: https://evil.example",
    "<!-- realmctl:plan:0123456789abcdef0123456789abcdef -->",
    "<!--",
    "    indented",
    "[ ] task",
    "[^1]",
    "evil.example.com",
    "Title\n===",
    "~~~",
    "`````diff",
    "a`b``c```d",
    "<a href=",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
);
const hostileText = fc.array(HOSTILE, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));

describe("foreign text", () => {
  test.each([
    ["@octocat", "mention"],
    ["see #12", "reference"],
    ["see acme/chat!12", "reference"],
    ["a@b.example", "mail link"],
    ["<script>alert(1)</script>", "element"],
    ["a <img src=x> b", "element"],
    ["![x](https://evil.example)", "element"],
    ["[x](javascript:alert(1))", "element"],
    ["https://evil.example", "element"],
    ["Title\n===", "element"],
    ["1. x", "element"],
    ["~~x~~", "element"],
    ["<!-- x -->", "element"],
    [":+1:", "emoji"],
    ["<code>", "code that does not end"],
  ])("the checks of this test find %s", (text, what) => {
    expect(alive(text).join()).toContain(what);
  });

  test("is only shown: as code, and in sentences", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(alive(codeText(text))).toEqual([]);
        // Also where something follows, and nothing of the text is lost.
        expect(codeIn(pageOf(`- x ${codeText(text)} \`y\``))).toEqual([text === "" ? '""' : clean(text), "y"]);
        const prose = proseText(text);
        expect(alive(prose)).toEqual([]);
        expect(shapeOf(pageOf(`- **x** ${prose} \`y\``))).toBe("<ul><li><strong></strong></li></ul>");
        expect(prose).not.toContain("\n");
      }),
      { numRuns: Number(process.env.REALMCTL_RUNS ?? 60) },
    );
  });

  const hostilePlan = (name: string, value: string, unmanaged: string, file: string): string => {
    const at = { file, line: 1, column: 1, endLine: 1, endColumn: 2 };
    const first = change(1, {
      name,
      was: `${value}.`,
      at,
      risks: [risk("widens", name, name, at)],
      fields: [
        { field: "description", before: name, after: value, at },
        { field: "topics_policy", before: null, after: value },
        { field: "can_send_message_group", before: ["x", name], after: ["x", value, `${unmanaged}.`] },
      ],
    });
    const order: Change = {
      ...{ action: "reorder", kind: "linkifier", address: "linkifier:order", name: "order", risks: [] },
      fields: [{ field: "order", before: [name, value], after: [value, name] }],
    };
    const alike = ["a", "b", "c"].map((other): Change => {
      const fields = [{ field: "description", before: null, after: `${value}${other}` }];
      return { ...asAction(change(2), "create"), address: `channel:${name}${other}`, name: `${name}${other}`, fields };
    });
    const plan = planOf([first, order, ...alike], {
      unmanaged: [{ section: "channels", policy: "additive", names: [unmanaged] }],
      guards: [protection(value)],
      warnings: [quoting(unmanaged, at)],
    });
    return renderPlanMarkdown({
      plan,
      origin: { mine: [first, order, ...alike], earlier: [first], adopted: [] },
      budget: 60_000,
      elsewhere: "x",
      link: (place) => `https://github.example/acme/chat/blob/main/${urlPath(place.file)}#L${place.line}`,
    });
  };

  test("has no effect in a whole comment: the page is the one of harmless names, and shows every name as it is", () => {
    const harmless = shapeOf(pageOf(hostilePlan("a b", "c d", "e f", "g.yaml")));
    expect(harmless).toContain("<summary>");
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, hostileText, (name, value, unmanaged, file) => {
        // An order of two equal things is no order.
        fc.pre(name !== value);
        const text = hostilePlan(name, value, unmanaged, file);
        const page = pageOf(text);
        expect(effectsOf(page)).toEqual([]);
        expect(shapeOf(page)).toBe(harmless);
        expect(codeIn(page)).toEqual(
          expect.arrayContaining([`#${clean(name)}`, `${clean(value)}.`, clean(unmanaged) || '""']),
        );
        for (const line of text.split("\n"))
          expect(line).toMatch(
            /^(?:$|\*\*|🛑|- | {2}[-+ ] | {2}`{3,}(?:diff)?$|<details>|<\/details>|Applying |\[\d+\]: https:)/,
          );
        for (const [fence] of text.matchAll(/^ *`{3,}(?=diff$)/gm)) {
          // Between the two fences of a block there is no third one.
          expect(text.split(`\n${fence}\n`).length).toBe(text.split(`\n${fence}diff\n`).length);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  { action: "remove", field: "archived" },
  { action: "remove", field: "deactivated" },
] as const)("a removal says what happens, not the state that ends: $field", ({ action, field }) => {
  const { kind, address, name, id = 1, risks } = change(1);
  const gone: Change = { action, kind, address, name, id, risks, fields: [{ field, before: false, after: true }] };
  const text = commentOf(planOf([gone]), { elsewhere: "nowhere" });
  expect(text).toContain("**−** `#c1`");
  expect(text).not.toContain(`${field}: false`);
});
