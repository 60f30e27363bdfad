import { createHash } from "node:crypto";

/** The URLs of default pictures, which nobody chose. */
export const GRAVATAR = "https://secure.gravatar.com/avatar/";

/** The picture that is derived from an e-mail address. */
export function gravatarOf(address: string, version: number): string {
  const hash = createHash("md5").update(address.toLowerCase()).digest("hex");
  return `${GRAVATAR}${hash}?d=identicon&version=${version}`;
}
