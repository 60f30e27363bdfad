import type { RealmState } from "../../src/sandbox/state.ts";
import { accountsAfter } from "./accounts.ts";
import { channelsAfter, defaultChannelsAfter } from "./channels.ts";
import { readFile } from "./file.ts";
import { folderOrderAfter, foldersAfter } from "./folders.ts";
import { groupsAfter } from "./groups.ts";
import { invitesAfter } from "./invites.ts";
import { linkifiersAfter } from "./linkifiers.ts";
import { linksAfter } from "./links.ts";
import { domainsAfter, restrictionAfter, viewsAfter } from "./named.ts";
import { fullMembersAfter, organizationAfter } from "./organization.ts";
import { type Seen, seenIn } from "./seen.ts";

/**
 * What a realm must look like after a file without errors was applied to it, object by object, by identity. Written only from the documents
 * (docs/writing.md, docs/reference, docs/internals/decisions): it knows no plan, and imports nothing from code that makes plans.
 * @param account user id of the account that applies
 */
export function outcomeOf(yaml: string, start: RealmState, account: number): Seen {
  const file = readFile(yaml);
  // Accounts that leave are in no list, and accounts that come back are where they were.
  const before = accountsAfter(file, start, account);
  const now = seenIn(before, start, account);
  const groups = groupsAfter(file, before, now, account);
  const folders = foldersAfter(file, now);
  const channels = channelsAfter({ file, state: before, now, groups, folders, account });
  const domains = domainsAfter(file, now);
  const organization = organizationAfter(file, before, now, { groups, channels });
  const restricted = { ...now, isRestrictedToDomains: organization.emails_restricted_to_domains === true };
  const isRestrictedToDomains = restrictionAfter(restricted, domains);
  return {
    accounts: now.accounts,
    organization: { ...organization, emails_restricted_to_domains: isRestrictedToDomains },
    groups: fullMembersAfter(before, now, groups.rows, organization.waiting_period_threshold),
    folders: folders.rows,
    folderOrder: folderOrderAfter(file, before, folders, Number(before.server.zulip_feature_level)),
    channels: channels.rows,
    defaultChannels: defaultChannelsAfter(file, now, channels),
    linkifiers: linkifiersAfter(file, now),
    domains,
    isRestrictedToDomains,
    views: viewsAfter(file, now),
    links: linksAfter(file, now.links, "2026-11-21"),
    invites: invitesAfter({ file, state: before, now, groups, channels, account }),
  };
}
