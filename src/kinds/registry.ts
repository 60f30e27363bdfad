import type { ResourceKind } from "../model/kind.ts";
import { bot } from "./bot/kind.ts";
import { channel } from "./channel/kind.ts";
import { channelFolder } from "./channel-folder/kind.ts";
import { defaultChannel } from "./default-channel/kind.ts";
import { domain } from "./domain/kind.ts";
import { emoji } from "./emoji/kind.ts";
import { invite } from "./invite/kind.ts";
import { inviteLink } from "./invite-link/kind.ts";
import { linkifier } from "./linkifier/kind.ts";
import { navigationView } from "./navigation-view/kind.ts";
import { person } from "./person/kind.ts";
import { playground } from "./playground/kind.ts";
import { profileField } from "./profile-field/kind.ts";
import { settings } from "./settings/kind.ts";
import { synonymsOf } from "./synonyms.ts";
import { userDefaults } from "./user-defaults/kind.ts";
import { userGroup } from "./user-group/kind.ts";

const KINDS: readonly ResourceKind[] = [
  settings,
  userDefaults,
  person,
  bot,
  userGroup,
  channelFolder,
  channel,
  defaultChannel,
  linkifier,
  domain,
  profileField,
  emoji,
  playground,
  navigationView,
  invite,
  inviteLink,
];

/** Every kind of object that realmctl knows. The file format, JSON Schema, reference docs and planning use this list. */
export const kinds: readonly ResourceKind[] = KINDS.map((kind) => ({
  ...kind,
  file: { ...kind.file, synonyms: () => synonymsOf(kind.name) },
}));
