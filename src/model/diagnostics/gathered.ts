import { type Diagnostic, warning } from "../diagnostic.ts";

/** More warnings of the same code than this are shown as one. */
const MOST_APART = 3;

/** Warnings as a person reads them: private channels whose lists leave somebody out are one warning if there are many. JSON and `all` have each. */
export function gathered(warnings: readonly Diagnostic[], all: boolean): readonly Diagnostic[] {
  const several = warnings.flatMap((one) => (one.code === "channels/unlisted" && "name" in one.fact ? [one.fact] : []));
  if (all || several.length <= MOST_APART) return warnings;
  const together = warning("channels/unlisted", {
    names: several.map(({ name }) => name),
    people: union(several.map(({ people }) => people)),
    bots: union(several.map(({ bots }) => bots)),
  });
  const first = warnings.findIndex(({ code }) => code === together.code);
  return warnings.flatMap((one, index): readonly Diagnostic[] =>
    one.code !== together.code ? [one] : index === first ? [together] : [],
  );
}

/** Of a thousand lists with a thousand ids each, all ids once. */
function union(lists: readonly (readonly number[])[]): readonly number[] {
  const all = new Set<number>();
  for (const list of lists) for (const id of list) all.add(id);
  return [...all];
}
