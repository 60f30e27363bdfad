import { whenDefined } from "../model/defined.ts";
import { asJson, type Json } from "../model/json.ts";
import { SourceText } from "./text.ts";
import { PlaceTable } from "./tree.ts";
import { parseFully } from "./yaml.ts";

/** The readable part of a document with errors; undefined if nothing can be read. */
export function readableValue(text: string): Json | undefined {
  const { value } = parseFully(new SourceText("", text), new PlaceTable());
  return whenDefined(value, asJson);
}

/** The value of a document with aliases and merges resolved; undefined when it has errors. */
export function documentValue(text: string): Json | undefined {
  const { value, diagnostics } = parseFully(new SourceText("", text), new PlaceTable());
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return whenDefined(value, asJson);
}
