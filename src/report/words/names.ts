import { isChannelAddress } from "../../access/scope.ts";
import type { Named } from "../../model/facts.ts";

/** For a renamed object also its current name, which another object may have afterwards, unless both are hidden. Channels have a sign. */
export function called({ address, name, was }: Named): string {
  const sign = isChannelAddress(address) ? "#" : "";
  return was === undefined || was === name ? `${sign}${name}` : `${sign}${name} (now ${sign}${was})`;
}

export const who = ({
  user_id,
  full_name,
}: {
  readonly user_id: number;
  readonly full_name?: string | undefined;
}): string => full_name ?? `account ${user_id}`;

export const people = (count: number, more = ""): string => `${count} ${more}${count === 1 ? "person" : "people"}`;
