import { expect, test } from "vitest";
import { change, EMPTY_PLAN, field, quoting, risk } from "../../test/support/example-plans.ts";
import type { UndoFact } from "../model/run-facts.ts";
import { PLAIN } from "./style.ts";
import { renderPlan } from "./text.ts";
import { renderUndoNotes } from "./undo-notes.ts";

const away = "cannot be deleted. It is archived instead and keeps its name";
const allAway = "cannot be deleted. They are archived instead and keep their names";
const AWAY: UndoFact = { why: "made-inactive", field: "archived" };
const notes = (number: number, kind = "channel", fact: UndoFact = AWAY) =>
  Array.from({ length: number }, (_, index) => ({ kind, name: `c${index}`, fact }));

test.each([
  { about: "nothing", given: [], shown: "" },
  { about: "one", given: notes(1), shown: `Not undone: #c0 ${away}.\n` },
  {
    about: "two kinds",
    given: [...notes(2), ...notes(1, "user_group"), ...notes(1, "channel", { why: "changed", field: "description" })],
    shown: [
      `Not undone: 2 channels ${allAway}.`,
      "    #c0, #c1",
      `Not undone: user group c0 ${away}.`,
      "Not undone: #c0 description stays: it was changed again since.",
      "",
    ].join("\n"),
  },
])("$about", ({ given, shown }) => expect(renderUndoNotes(given, PLAIN, false)).toBe(shown));

test("forty-three similar notes are one line with some names, and --all shows every name", () => {
  const text = renderUndoNotes(notes(43), PLAIN, false);
  expect(text.split("\n").length).toBeLessThan(6);
  expect(text).toContain("43 channels");
  expect(text).toContain("and 31 more");
  expect(renderUndoNotes(notes(43), PLAIN, true)).toContain("#c42");
});

test("the plan of an undo names objects, never a line of the journal", () => {
  const at = { file: ".realmctl/run.jsonl", line: 1, column: 2, endLine: 1, endColumn: 2 };
  const one = change({
    action: "update",
    name: "news",
    at,
    fields: [{ ...field("description", "a", "b"), at }],
    risks: [risk("widens", "news", "#news", at)],
  });
  const plan = {
    ...EMPTY_PLAN,
    changes: [one, change({ action: "remove", kind: "linkifier", name: "BUG", at })],
    warnings: [quoting("careful", at)],
  };
  const text = renderPlan(plan, { style: PLAIN, undoes: true });
  expect(text).toContain("news");
  expect(text).not.toContain("jsonl");
  expect(text).not.toContain("not in the file");
});
