import { isObject } from "../../model/json.ts";
import type { Realm } from "../../model/realm.ts";

type Services = { readonly [service: string]: { readonly name: string; readonly hint: string } };

/** Known services of servers of all levels, for when no server says which (zulip-api.md §12.3). */
const NAMES = {
  atlassian: "Atlassian account ID",
  behance: "Behance username",
  bitbucket: "Bitbucket username",
  bluesky: "Bluesky handle",
  codeberg: "Codeberg username",
  discord: "Discord tag",
  dribbble: "Dribbble username",
  facebook: "Facebook username",
  github: "GitHub username",
  gitlab: "GitLab username",
  instagram: "Instagram username",
  linkedin: "LinkedIn profile name",
  mastodon: "Mastodon profile",
  medium: "Medium username",
  pinterest: "Pinterest username",
  reddit: "Reddit username",
  snapchat: "Snapchat username",
  threads: "Threads username",
  tiktok: "TikTok username",
  twitch: "Twitch username",
  twitter: "Twitter username",
  x: "X username",
  youtube: "YouTube handle",
} as const;
const SERVICES: Services = Object.fromEntries(
  Object.entries(NAMES).map(([service, name]) => [service, { name, hint: "" }]),
);

/** The services that the server knows, with what it calls their fields. */
export function servicesOf(realm: Realm | undefined): Services {
  const known = realm?.setting("default_external_accounts");
  if (known === undefined || !isObject(known)) return SERVICES;
  return Object.fromEntries(
    Object.entries(known).flatMap(([service, said]) =>
      isObject(said) && typeof said.name === "string"
        ? [[service, { name: said.name, hint: typeof said.hint === "string" ? said.hint : "" }]]
        : [],
    ),
  );
}

/** Zulip 12 calls `twitter` `x`, and its upgrade renamed the fields with their values. */
const RENAMED = ["twitter", "x"] as const;

/** What other servers call the service; itself for all others. */
export const acrossVersions = (service: string): string => {
  const [old, now] = RENAMED;
  return service === old ? now : service === now ? old : service;
};

/** The service under the name that these servers use in place of this one. The old name is doubtful without a server. */
export function otherName(
  service: string,
  services: Services,
): { readonly other: string; readonly name: string } | undefined {
  const other = acrossVersions(service);
  const said = other === service ? undefined : services[other];
  if (said === undefined || (service === RENAMED[1] && Object.hasOwn(services, service))) return undefined;
  return services === SERVICES || !Object.hasOwn(services, service) ? { other, name: said.name } : undefined;
}
