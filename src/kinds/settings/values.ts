import * as z from "zod";
import { defined } from "../../model/defined.ts";
import { once } from "../../model/lazy.ts";
import { formIssue, wrongForm } from "../../model/value-form.ts";
import { codePoints } from "../names.ts";
import type { PropertyType } from "../property.ts";

const MAX_JITSI_URL = 200;

/** `default` is the server's own; the API returns null for it, and expects the word as JSON text. */
export const jitsiUrl: PropertyType = {
  schema: once(() =>
    z
      .string()
      .refine(
        (url) => url === "default" || isAddress(url),
        wrongForm({ form: "server-url", most_characters: MAX_JITSI_URL }),
      )
      .meta({ pattern: "^(default|([hH][tT]{2}[pP]|[fF][tT][pP])[sS]?://\\S+)$", maxLength: MAX_JITSI_URL })
      .nullable()
      .transform((url) => url ?? "default"),
  ),
  fromApi: (value) => value ?? "default",
  toApi: (value) => value,
};

const LETTER = "[a-z0-9\\u00a1-\\uffff]";
const LABEL = `${LETTER}(?:[a-z0-9\\u00a1-\\uffff-]{0,61}${LETTER})?`;
const TOP_LEVEL = "(?:[a-z\\u00a1-\\uffff][a-z\\u00a1-\\uffff-]{0,61}[a-z\\u00a1-\\uffff]|xn--[a-z0-9]{1,59})";
const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IN_NAME = "[^\\s:@/?#[\\]]";
/** The rule of the server, and not that of browsers: a host has a dot, and a port at most five digits (zulip-api.md §12.1). */
const ADDRESS = new RegExp(
  `^(?:https?|ftps?)://(?:${IN_NAME}+(?::${IN_NAME}*)?@)?(?:\\[([^\\]]*)\\]|localhost|${BYTE}(?:\\.${BYTE}){3}|(?:${LABEL}\\.)+${TOP_LEVEL}\\.?)(?::\\d{1,5})?(?:[/?#]\\S*)?$`,
  "iu",
);

function isAddress(url: string): boolean {
  const found = codePoints(url) <= MAX_JITSI_URL ? ADDRESS.exec(url) : null;
  return found !== null && (found[1] === undefined || URL.canParse(`http://[${found[1]}]`));
}

/** Feature level whose languages these are. Another release has another list (zulip-api.md §12.1). */
export const LANGUAGES_AT = 442;
export const LANGUAGES: readonly string[] = (
  "ar bg bqi ca cs cy da de el en en-gb es fa fi fr gu hi hu id it ja ko lt mn nl pl pt pt-pt ro ru si sl sr sv ta " +
  "tl tr uk vi zh-hans zh-tw"
).split(" ");

const CODE = /^[a-z]{2,3}(-[a-z0-9]+)*$/;

/** Lower case with hyphens: the server does not know other spellings. */
export const languageCode: PropertyType = {
  schema: once(() =>
    z
      .string()
      .superRefine((code, context) => {
        if (!CODE.test(code))
          context.addIssue(formIssue({ form: "language-code", ...defined({ meant: codeMeant(code) }) }));
      })
      .meta({ pattern: CODE.source }),
  ),
  fromApi: (value) => value,
  toApi: (value) => value,
};

/** `pt_PT` → `pt-pt`, `en_US` → `en`: of most languages, servers have no variants. */
function codeMeant(written: string): string | undefined {
  const code = written.trim().toLowerCase().replaceAll("_", "-");
  if (!CODE.test(code)) return undefined;
  const language = code.replace(/-.*/, "");
  return !LANGUAGES.includes(code) && LANGUAGES.includes(language) ? language : code;
}
