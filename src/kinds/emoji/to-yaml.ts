import { isBuiltIn } from "../../model/emoji-names.ts";
import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/kind.ts";

/** An emoji as a person would write it, without its picture: nobody has the file. */
export function emojiToYaml({ name }: LiveObject): Json {
  return isBuiltIn(name) ? { overrides_builtin: true } : {};
}
