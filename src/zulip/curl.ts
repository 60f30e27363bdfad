import type { WireCall } from "../model/journal.ts";
import { encodeCall, encodeFields } from "./encode.ts";
import { operationNamed } from "./operations.ts";

/**
 * The request as a curl command for a POSIX shell, one part a line. The key and passwords are masked, so it shows, and runs
 * only after they are filled in.
 */
export function curlText(call: WireCall, { site, email }: { readonly site: string; readonly email: string }): string {
  const operation = operationNamed(call.operation);
  const { method, path, form } = encodeCall(call);
  const fields = encodeFields(operation, call.params).map(
    ({ name, text, secret }) => `--data-urlencode ${quote(`${name}=${secret ? "********" : text}`)}`,
  );
  return [
    `curl -sS${form === undefined ? " -G" : ""} -X ${method} ${quote(`${site}${path}`)}`,
    `-u ${quote(`${email}:********`)}`,
    "-H 'Accept-Language: en'",
    ...fields,
  ].join(" \\\n  ");
}

/** Within single quotes a POSIX shell changes nothing. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
