import { Realm, ROLE } from "../../model/realm.ts";
import type { Snapshot } from "../../model/snapshot.ts";

/** Something that the account cannot do here, and why. */
export interface Limit {
  /** Sections that it is about. */
  readonly sections: readonly string[];
  readonly message: string;
}

/** What this account will not be able to manage (zulip-api.md §3.6, §4, §6, §7, §9, §10.1, §11, §14.2). */
export function limitsOf(snapshot: Snapshot): readonly Limit[] {
  const realm = new Realm(snapshot);
  const { account } = snapshot;
  const limits: Limit[] = [];
  const add = (sections: readonly string[], message: string): void => {
    limits.push({ sections, message });
  };
  if (!realm.isAdmin) {
    add(
      ["settings", "user_defaults", "people", "profile_fields", "playgrounds"],
      "settings, people, profile fields and playgrounds can be changed by administrators only",
    );
    add(
      ["linkifiers", "default_channels", "channel_folders"],
      "linkifiers, default channels and folders can be changed by administrators only",
    );
    add(
      ["channels"],
      "of channels it can change only those that name it in can_administer_channel_group, and it does not see every private one",
    );
  } else
    add(
      ["channels"],
      "to make a private channel public, or to say who may join it, it has to be subscribed or named in the channel's groups",
    );
  if (!realm.isOwner) {
    add(["domains"], "domains can be changed by owners only");
    add(["settings", "people"], "some settings, and who is an owner, can be changed by owners only");
    add(["channels"], "message_retention_days can be changed by owners only");
  }
  if (account.is_bot) {
    add(["invites", "invite_links"], "invitations are refused to bots: they need the key of a person");
    if (realm.level < BOTS_AND_GROUPS)
      add(
        ["user_groups"],
        `groups are refused to bots before feature level ${BOTS_AND_GROUPS}: they need the key of a person`,
      );
  } else if (account.role === ROLE.guest)
    add(["invites", "invite_links", "user_groups"], "invitations and groups are refused to guests");
  if (realm.level < FOLDERS) add(["channel_folders"], `channel folders need feature level ${FOLDERS}`);
  if (realm.level < VIEWS) add(["navigation_views"], `navigation views need feature level ${VIEWS}`);
  return limits;
}

const BOTS_AND_GROUPS = 496;
const FOLDERS = 389;
const VIEWS = 390;
