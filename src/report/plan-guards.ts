import { askingGuards, type Guard } from "../model/plan.ts";
import { wayThrough } from "./guards.ts";
import { labelled, placed, placeText, shownMessage, wrapped } from "./layout.ts";
import { clean, dotted, paint, type Style, sign } from "./style.ts";
import { guardText } from "./words/guards.ts";

/** The guard rails of a plan: the satisfied ones in one line, then those that need a confirmation, then those that refuse. */
export function guardLines(guards: readonly Guard[], style: Style): readonly string[] {
  const violated = guards.filter((guard) => guard.violated);
  const asking = askingGuards({ guards });
  const quiet = guards
    .filter((guard) => !guard.violated && !asking.includes(guard))
    .map((guard) => clean(shownMessage(guardText(guard))));
  const refused = violated.flatMap((guard) => {
    const text = `refused by a guard: ${clean(shownMessage(guardText(guard)))}`;
    const way = clean(wayThrough(guard));
    return [
      ...placed(style, `${paint(style, "risk", sign(style, "failed"))} `, 2, text, placeText(guard.at)),
      ...(way === "" ? [] : wrapped(style, way, "    ", 4)),
    ];
  });
  const asked = asking.flatMap((guard) =>
    placed(style, `${paint(style, "risk", "!")} `, 2, clean(shownMessage(guardText(guard))), placeText(guard.at)),
  );
  return [...labelled(style, "Guards", dotted(style, quiet)), ...asked, ...refused];
}
