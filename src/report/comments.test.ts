import { expect, test } from "vitest";
import {
  EMPTY_PLAN,
  HOSTILE_PLAN,
  LARGE_PLAN,
  line,
  MIXED_PLAN,
  NAMES_PLAN,
  protection,
  quoting,
} from "../../test/support/example-plans.ts";
import { effectsOf, pageOf } from "../../test/support/forge-page.mjs";
import { error, finding, placed } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import { diagnosticsMarkdown, namedDiagnostic } from "./action/diagnostics.ts";
import { issueBody } from "./action/drift.ts";
import { appliedPage } from "./action/pages.ts";
import { JOBS_LOG, SHOWN_BY } from "./commands/files.ts";
import { renderPlanMarkdown } from "./markdown.ts";
import { urlPath } from "./markdown-text.ts";

/*
 * What people get: as plain text, which forges mail (snapshots/comment-NAME.md), and as a page (snapshots/comment-NAME.html), side by side.
 */

const link = (at: { readonly file: string; readonly line: number }): string =>
  `https://github.example/acme/chat/blob/main/${urlPath(at.file)}#L${at.line}`;

/** As on a pull request that asks for the first two changes. */
function onPull(plan: Plan, more: object = {}): string {
  const origin = { mine: plan.changes.slice(0, 2), earlier: plan.changes.slice(2), adopted: [] };
  return renderPlanMarkdown({ plan, origin, budget: 20_000, elsewhere: "the artifact", link, ...more });
}

const wrong = [
  error("reference/deactivated-group", { name: quote("old_staff", "user_group") }, line(7)),
  quoting("*news*", line(9)),
  quoting("Night shift (Berlin)", line(11)),
].map(namedDiagnostic);

/** Channels that cannot be what the file asks for: nothing of them is planned. */
const held = (...lines: readonly number[]) =>
  lines.map((number) =>
    placed(finding("channels/default-private", {}, { unresolved: { kind: "channel", isHeld: true } }), line(number)),
  );

test.each<readonly [name: string, text: string]>([
  ["nothing", onPull(EMPTY_PLAN, { notCompared: "Not compared." })],
  ["nothing-left", onPull({ ...EMPTY_PLAN, warnings: held(60) })],
  ["left", onPull({ ...MIXED_PLAN, warnings: [...MIXED_PLAN.warnings, ...held(60, 61, 62, 63)] })],
  ["mixed", onPull(MIXED_PLAN)],
  ["refused", onPull({ ...MIXED_PLAN, guards: [...MIXED_PLAN.guards, protection("#general")] })],
  [
    "taken-over",
    onPull(
      { ...MIXED_PLAN, changes: MIXED_PLAN.changes.slice(3) },
      { origin: { mine: [], earlier: MIXED_PLAN.changes.slice(3), adopted: MIXED_PLAN.changes.slice(0, 1) } },
    ),
  ],
  [
    "other-host",
    renderPlanMarkdown({
      plan: MIXED_PLAN,
      origin: { mine: [], earlier: MIXED_PLAN.changes, adopted: [] },
      notCompared: "These are all the changes that the file asks for.",
      budget: 20_000,
      elsewhere: JOBS_LOG,
      hides: true,
      shownBy: SHOWN_BY,
      calls: true,
    }),
  ],
  ["hostile", onPull(HOSTILE_PLAN)],
  ["large", onPull(LARGE_PLAN)],
  ["names", onPull(NAMES_PLAN)],
  ["errors", `❌ **realmctl** cannot plan:\n\n${diagnosticsMarkdown(wrong, 10_000, link)}`],
  [
    "drift",
    issueBody(
      EMPTY_PLAN,
      [
        {
          class: "widens",
          title: "#incidents",
          lines: ["privacy: private → public", "can_add_subscribers_group: + everyone"],
          since: "2026-11-21T09:00:00Z",
        },
        { class: "cosmetic", title: "#a_b", lines: ["description: *ours* → theirs"], since: "2026-11-21T09:00:00Z" },
      ],
      "",
      10_000,
    ),
  ],
  [
    "applied",
    appliedPage(
      {
        commit: "0123456789abcdef",
        url: "https://chat.example.org",
        exitCode: 5,
        runUrl: "https://github.example/run/1",
      },
      "  ✓ #incidents renamed\n  ✗ #a_b <b>: `refused`\n\nApplied 1 of 2.\n",
      "realmctl-result.json",
      10_000,
    ),
  ],
])("%s", async (name, text) => {
  const page = pageOf(text);
  expect(effectsOf(page)).toEqual([]);
  // No entity, and besides folded lists no element: mail shows it as it is.
  expect(text).not.toMatch(/&#?\w+;/);
  expect(text.replaceAll(/`+[^`]*`+|<\/?(?:details|summary)>/g, "")).not.toContain("<");
  await expect(text).toMatchFileSnapshot(`snapshots/comment-${name}.md`);
  await expect(page).toMatchFileSnapshot(`snapshots/comment-${name}.html`);
});
