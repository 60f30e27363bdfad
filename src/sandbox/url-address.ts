import { isIP } from "node:net";
import { isHostName } from "./email-address.ts";

const MAX_LENGTH = 2048;
const SCHEMES: ReadonlySet<string> = new Set(["http", "https", "ftp", "ftps"]);
const PARTS =
  /^([a-z0-9.+-]+):\/\/(?:[^\s:@/?#[\]]+(?::[^\s:@/?#[\]]*)?@)?(\[[^\]]*\]|[^\s:@/?#[\]]+)(?::[0-9]{1,5})?(?:[/?#]\S*)?$/i;

/** Whether the server accepts it as a web address. */
export function isUrl(text: string): boolean {
  if ([...text].length > MAX_LENGTH) return false;
  const [, scheme, host] = PARTS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || !SCHEMES.has(scheme.toLowerCase())) return false;
  if (host.startsWith("[")) return isIP(host.slice(1, -1)) === 6;
  if (isIP(host) === 4 || host.toLowerCase() === "localhost") return true;
  const name = host.replace(/\.$/, "");
  return name.length <= 253 && isHostName(name);
}
