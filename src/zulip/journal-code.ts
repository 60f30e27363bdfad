import { createHmac, hkdfSync } from "node:crypto";
import type { CodeOf } from "../model/api.ts";
import type { Secret } from "./secret.ts";

/** Another use of the API key must have another label. */
const LABEL = "realmctl journal";

/** What signs and checks the journals of an account: the same on every machine that has its API key, and different after the key was changed. */
export function journalCode(key: Secret): CodeOf {
  const derived = Buffer.from(hkdfSync("sha256", key.reveal(), "", LABEL, 32));
  return (text) => createHmac("sha256", derived).update(text).digest("hex").slice(0, 32);
}
