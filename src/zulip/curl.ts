import type { WireCall } from "../model/journal.ts";
import { encodeCall, encodeFields } from "./encode.ts";
import { operationNamed } from "./operations.ts";

/**
 * The request as a curl command for a POSIX shell, with one part on each line. The key and passwords are masked, so the command works only after they
 * are filled in.
 */
export function curlText(call: WireCall, { site, email }: { readonly site: string; readonly email: string }): string {
  const operation = operationNamed(call.operation);
  const { method, path, form, files = [] } = encodeCall(call);
  // With -F, curl sends a body of several parts; --form-string does not interpret characters of the text.
  const option = files.length === 0 ? "--data-urlencode" : "--form-string";
  const fields = encodeFields(operation, call.params).map(
    ({ name, text, secret }) => `${option} ${quote(`${name}=${secret ? "********" : text}`)}`,
  );
  for (const { name, param } of files) fields.push(`-F ${quote(`${name}=@"${escaped(param.file)}"`)}`);
  return [
    `curl -sS${form === undefined && files.length === 0 ? " -G" : ""} -X ${method} ${quote(`${site}${path}`)}`,
    `-u ${quote(`${email}:********`)}`,
    "-H 'Accept-Language: en'",
    ...fields,
  ].join(" \\\n  ");
}

/** A path with escapes for curl's double quotes. */
const escaped = (path: string): string => path.replace(/["\\]/g, "\\$&");

/** A text in single quotes, within which a POSIX shell changes nothing. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
