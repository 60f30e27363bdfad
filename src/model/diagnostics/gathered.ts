import { defined } from "../defined.ts";
import { type Diagnostic, type FactDiagnostic, warning } from "../diagnostic.ts";

/** More warnings of the same code than this are shown as one. */
const MOST_APART = 3;

/** Warnings as a person reads them: private channels that leave somebody out are one warning if there are many. JSON and `all` have each. */
export function gathered(warnings: readonly Diagnostic[], all: boolean): readonly Diagnostic[] {
  return all ? warnings : gatheredOf("channels/unset-opening", gatheredOf("channels/unlisted", warnings));
}

/** Who reads a private channel, or can come to, and is not in its list. */
type Readers = FactDiagnostic<"channels/unlisted" | "channels/unset-opening">;

const isReaders = (one: Diagnostic): one is Readers =>
  one.code === "channels/unlisted" || one.code === "channels/unset-opening";

function gatheredOf(code: Readers["code"], warnings: readonly Diagnostic[]): readonly Diagnostic[] {
  const several = warnings.flatMap((one) =>
    isReaders(one) && one.code === code && "name" in one.fact ? [one.fact] : [],
  );
  if (several.length <= MOST_APART) return warnings;
  const fact = {
    names: several.map(({ name }) => name),
    people: union(several.map(({ people }) => people)),
    bots: union(several.map(({ bots }) => bots)),
  };
  const isAdditive = several.some((one) => "is_additive" in one);
  const together: Diagnostic =
    code === "channels/unlisted"
      ? warning(code, { ...fact, ...defined({ is_additive: isAdditive ? (true as const) : undefined }) })
      : warning("channels/unset-opening", fact);
  const first = warnings.findIndex((one) => one.code === code);
  return warnings.flatMap((one, index): readonly Diagnostic[] =>
    one.code !== code ? [one] : index === first ? [together] : [],
  );
}

/** Of a thousand lists with a thousand ids each, all ids once. */
function union(lists: readonly (readonly number[])[]): readonly number[] {
  const all = new Set<number>();
  for (const list of lists) for (const id of list) all.add(id);
  return [...all];
}
