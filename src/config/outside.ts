import { defined } from "../model/defined.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import { foundValue } from "../model/diagnostics/values.ts";
import type { Given, OutsideValues, ReadValues } from "../model/outside-values.ts";
import { type LoadOptions, loadDocument } from "../source/load.ts";

/** Reads the values that a command names besides the file. */
export async function readOutside(options: LoadOptions): Promise<ReadValues> {
  const { outside = {} } = options;
  const given = new Map<string, Given>();
  const diagnostics: Diagnostic[] = [];
  for (const file of outside.files ?? []) {
    const loaded = await loadDocument({ ...options, file });
    if (loaded.ok) {
      const { root, places } = loaded.value;
      for (const { key, value } of places.entries(root))
        given.set(String(key), { by: "--values", value, ...defined({ at: places.valueSpan(root, [key]) }) });
    }
    const found = loaded.ok ? loaded.warnings : loaded.diagnostics;
    diagnostics.push(...found.flatMap((one) => ofValues(one, outside)));
  }
  for (const { name, text } of outside.set ?? []) given.set(name, { by: "--set", text });
  return { given, diagnostics };
}

/** An error of a file of values: an empty one has none, and what is no map is not meant to be the file of an organization. */
function ofValues(found: Diagnostic, { isOfOther }: OutsideValues): readonly Diagnostic[] {
  if (found.code === "yaml/empty") return [];
  if (isOfOther === true && found.code === "config/cannot-read" && found.fact.why.code === "ENOENT") return [];
  if (found.code !== "yaml/not-a-map") return [found];
  const list = found.fact.is_list ? foundValue([]) : undefined;
  return [error("vars/not-a-map", { section: "values", ...defined({ found: list }) }, found.at)];
}
