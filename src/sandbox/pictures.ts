import { createHash } from "node:crypto";

/** Where pictures are that nobody chose. */
export const GRAVATAR = "https://secure.gravatar.com/avatar/";

/** The picture that follows from an address. */
export function gravatarOf(address: string, version: number): string {
  const hash = createHash("md5").update(address.toLowerCase()).digest("hex");
  return `${GRAVATAR}${hash}?d=identicon&version=${version}`;
}
