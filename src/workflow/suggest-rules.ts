import type { Checked } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { SUGGESTED_OF_FILE, suggestedName } from "../report/rules/words.ts";
import { suggestedRules } from "../rules/suggest.ts";
import { writeYaml } from "../source/write.ts";
import { type Against, groundOf } from "./rules.ts";

/** A file of rules that hold now, for somebody to review and shorten. */
export async function suggestRules(against: Against): Promise<Checked<string>> {
  const grounded = await groundOf(against, []);
  if (!grounded.ok) return grounded;
  const tests: Json = JSON.parse(
    JSON.stringify(
      suggestedRules(grounded.value.ground).map(({ about, claim }) => ({ name: suggestedName(about), ...claim })),
    ),
  );
  const { text } = writeYaml({
    entries: [
      { key: "version", value: 1 },
      { key: "tests", value: tests },
    ],
  });
  const note = grounded.value.ground.isFileAlone ? SUGGESTED_OF_FILE : "";
  return { ok: true, value: `${note}${text}`, warnings: [] };
}
