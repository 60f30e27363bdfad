import { describe, expect, test } from "vitest";
import { testSnapshot } from "../../test/html/realm.ts";
import { change, EMPTY_PLAN, field, protection, quoting, risk } from "../../test/support/example-plans.ts";
import fc from "../../test/support/random.ts";
import { kinds } from "../kinds/registry.ts";
import { warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import type { Drift } from "../model/result.ts";
import { accessInPlan, accessMatrix } from "./access.ts";
import { renderDriftHtml } from "./html-drift.ts";
import { redactAccess, redactionBy } from "./redact.ts";

const driftOf = (plan: Plan): Drift => ({
  plan,
  differences: plan.changes,
  unmanaged: plan.unmanaged,
  uncompared: [],
  exitCode: plan.changes.length === 0 ? 0 : 2,
});
const html = (plan: Plan) => renderDriftHtml(driftOf(plan), accessInPlan(plan));
const planOf = (...changes: Plan["changes"]): Plan => ({ ...EMPTY_PLAN, changes });

describe("objects that no longer match the file", () => {
  const opened = change({
    action: "update",
    name: "open",
    id: 1,
    fields: [field("can_send_message_group", "role:everyone", "role:moderators")],
    risks: [risk("narrows", "open", "fewer may post")],
    drifted: "widens",
  });

  test("values go from the file to the realm, wider ones first", () => {
    const other = change({ action: "update", name: "a", id: 9, fields: [field("description", "theirs", "ours")] });
    const page = html(planOf(other, opened));
    expect(page).toContain("role:moderators → role:everyone");
    expect(page).toContain("ours → theirs");
    expect(page).toContain("1 with wider access than it says");
    expect(page.indexOf("#open")).toBeLessThan(page.indexOf("#a<"));
  });

  test("a shorter retention deletes messages until it is corrected: it is marked, and comes first", () => {
    const retention = { ...field("message_retention_days", 30, "unlimited"), keeps_messages: true as const };
    const shorter = change({ action: "update", name: "archive", id: 2, fields: [retention] });
    const other = change({ action: "update", name: "a", id: 9, fields: [field("description", "theirs", "ours")] });
    const page = html(planOf(other, shorter));
    expect(page).toContain('<span class="risk">! deletes messages that the file keeps</span>');
    expect(page.indexOf("#archive")).toBeLessThan(page.indexOf("#a<"));
    expect(html(planOf(other))).not.toContain("deletes messages");
  });

  test.each([
    [{ action: "create", name: "x" }, "in the file, missing on the server"],
    [{ action: "remove", name: "x", undeclared: true }, "on the server, and not in the file (exact)"],
    [{ action: "reorder", name: "x" }, "order differs from the file"],
  ] as const)("$0.action: %s", (partial, words) => {
    expect(html(planOf(change(partial)))).toContain(words);
  });

  test("guard rails that would prevent correcting it", () => {
    const page = html({ ...planOf(opened), guards: [protection("#open")] });
    expect(page).toContain("Apply would be refused by guard rails");
    expect(page).toContain("#open is protected");
  });

  test("objects that look renamed, with advice; other warnings of the plan are not drift", () => {
    const other = warning("channels/was", { name: quote("never-moved") });
    const page = html({ ...planOf(opened), warnings: [quoting("<x>"), other] });
    expect(page).toContain("<h2>Looks renamed: 1</h2>");
    expect(page).toContain("is new, and");
    expect(page).toContain("realmctl adopt &quot;channel:&lt;x&gt;&quot;");
    expect(page).not.toContain("never-moved");
    expect(html(planOf(opened))).not.toContain("Looks renamed");
  });

  test("no differences: the page says so", () => expect(html(EMPTY_PLAN)).toContain("<strong>No drift.</strong>"));

  test("the matrix goes from the file to the server: red means more people", () => {
    const plan = planOf(
      change({ action: "update", name: "open", id: 1, fields: [field("privacy", "public", "private_shared_history")] }),
    );
    const page = renderDriftHtml(driftOf(plan), accessMatrix(plan, testSnapshot()));
    expect(page).toMatch(/<td class="widens"[^>]*><div><b>2 → 4<\/b>/);
    expect(page).toContain("as the file says → as it is");
  });

  test("ten thousand differences are all counted, and the page is small", () => {
    const many = planOf(
      ...Array.from({ length: 10_000 }, (_, index) =>
        change({ action: "update", name: `c${index}`, id: index, fields: [field("description", `${index}`, "x")] }),
      ),
    );
    const page = html(many);
    expect(page.length).toBeLessThan(4_000_000);
    expect(page).toContain("8,000 more objects, names only");
    expect(page).toContain("#c9999</bdi>");
  });

  test("no text adds an element, whatever it contains", () => {
    const tags = (page: string) =>
      [
        ...new Set(
          (page.match(/<[!/a-z][^>]*>/gi) ?? []).map((tag) => tag.replace(/ (content|class|title)="[^"]*"/g, "")),
        ),
      ].sort();
    const named = (text: string) =>
      html({
        ...planOf(
          change({ action: "update", name: text, fields: [field(text, `${text} a`, `${text} b`)], id: 3 }),
          change({ action: "remove", name: `${text}x`, fields: [] }),
        ),
        realm: { url: `https://x/${text}`, name: text },
        warnings: [quoting(text)],
        unmanaged: [{ section: "channels", policy: "additive", names: [text] }],
      });
    const shape = tags(named("harmless"));
    const part = fc.oneof(
      fc.constantFrom("</bdi><script>", '"><img src=x>', "<!--", "\u202e", "&lt;", "'", "`", "</style>"),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const page = named(parts.join(""));
        expect(tags(page)).toEqual(shape);
        expect(page).not.toMatch(/[\p{Bidi_Control}\u200b\ufeff]|(?!\n)\p{Cc}/u);
      }),
      { numRuns: 100 },
    );
  });
});

test("the matrix for other readers has no hidden names, and only channels that change", () => {
  const plan = planOf(
    change({ action: "update", name: "secret", id: 2, fields: [field("can_subscribe_group", "role:nobody", "staff")] }),
  );
  const shown = redactAccess(
    accessMatrix(plan, testSnapshot()),
    redactionBy(
      { names: new Map([["channel", new Map([["secret", "private channel 2"]])]]), addresses: new Map() },
      kinds,
    ),
  );
  expect(shown.rows.map(({ name }) => name)).toEqual(["private channel 2"]);
  const page = renderDriftHtml(driftOf(EMPTY_PLAN), shown);
  expect(page).not.toContain("secret");
  expect(page).toContain("Not in this table: 2 channels whose access stays as it is.");
});
