import { expect, test } from "vitest";
import { otherFile } from "./other-file.ts";

test.each([
  [{ providers: {}, zones: {} }, "octodns"],
  [{ name: "zulip", runtime: "yaml", resources: {} }, "pulumi"],
  [{ version: 2, updates: [] }, "dependabot"],
  [{ version: 1, channels: {} }, undefined],
  // One of the keys alone may be a misspelt one of ours.
  [{ name: "Acme" }, undefined],
  [{ providers: {} }, undefined],
])("%j is the file of %s", (tree, program) => expect(otherFile(tree)).toBe(program));
