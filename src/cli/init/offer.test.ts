import { expect, test } from "vitest";
import { withIgnored } from "./offer.ts";

const ALL = "# realmctl: journals, saved plans and credentials\n.realmctl/\n*.plan\n*zuliprc\n";

test.each([
  { before: undefined, after: ALL },
  { before: "", after: ALL },
  { before: "node_modules", after: `node_modules\n\n${ALL}` },
  { before: ALL, after: ALL },
  {
    before: "zuliprc\n/.realmctl/\n",
    after: "zuliprc\n/.realmctl/\n\n# realmctl: journals, saved plans and credentials\n*.plan\n*zuliprc\n",
  },
])("$before", ({ before, after }) => expect(withIgnored(before)).toBe(after));
