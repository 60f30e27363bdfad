import type { NotJson } from "../../model/not-json.ts";

/** Why a text is not JSON, as the end of a sentence. */
export function notJsonText(reason: NotJson): string {
  switch (reason.is) {
    case "empty":
      return "it is empty";
    case "cut-off":
      return "it ends too early";
    case "error":
      return `there is an error at line ${reason.line}, column ${reason.column}`;
  }
}
