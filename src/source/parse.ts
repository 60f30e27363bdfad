import { otherFormat } from "./other-format.ts";
import { readPlain } from "./plain.ts";
import { checkCharacters, type SourceText } from "./text.ts";
import { isTree, type Parsed, type PlaceTable } from "./tree.ts";

/** Reads one YAML 1.2 document. Values are exact whenever no diagnostic is an error. */
export async function parseYaml(source: SourceText, places: PlaceTable): Promise<Parsed> {
  const characters = checkCharacters(source);
  if (characters.some(({ code }) => code === "yaml/control-character" || code === "yaml/encoding"))
    return { value: undefined, diagnostics: characters };
  const plain = readPlain(source, places);
  if (plain !== undefined && hasPlainKeys(plain.value))
    return { value: plain.value, diagnostics: [...characters, ...plain.diagnostics] };
  // Most files never need the full parser, so it is loaded only when it is needed.
  const { parseFully, pieceParser } = await import("./yaml.ts");
  const { value, diagnostics } = plain ?? readPlain(source, places, pieceParser()) ?? parseFully(source, places);
  if (hasPlainKeys(value) && diagnostics.every(({ severity }) => severity !== "error"))
    return { value, diagnostics: [...characters, ...diagnostics] };
  const other = otherFormat(source);
  if (other !== undefined) return { value: undefined, diagnostics: [...characters, other] };
  return { value, diagnostics: [...characters, ...diagnostics] };
}

/** Whether it is a map with keys like those of a file: other ones can be lines with something in front of them (`+channels`). */
const hasPlainKeys = (value: unknown): boolean =>
  isTree(value) && Object.keys(value).every((key) => /^[\w.-]+$/.test(key));
