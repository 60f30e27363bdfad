import { expect, test } from "vitest";
import { INPUTS } from "./inputs.ts";
import { saidOf, written } from "./said.ts";

/**
 * What people see first when something is wrong: a table of inputs and messages, to be read as a whole. Each message says what is wrong and where,
 * and what to do. Update it with `-u` only after reading the difference.
 */
test("the table of messages", async () => {
  const rows: string[] = [];
  for (const input of INPUTS) rows.push(`${written(input)}\n    ${await saidOf(input)}\n`);
  await expect(rows.join("")).toMatchFileSnapshot("messages.txt");
});
