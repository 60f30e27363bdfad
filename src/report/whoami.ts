import { cases } from "../model/cases.ts";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import type { ReachCaveat } from "../model/kind-facts.ts";
import type { WhoamiJson } from "../model/output-schemas.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { listNames } from "../model/words.ts";
import { renderJson } from "./json.ts";
import { printText, realmName } from "./layout.ts";
import { dotted, paint, type Style } from "./style.ts";
import { IS_BOT, roleName } from "./words/names.ts";
import { newerLevelText, newerText } from "./words/newer.ts";

/** What one account can do with realmctl in its organization. */
interface AccountReach {
  readonly snapshot: Snapshot;
  /** Sections that it can manage, some of them in part. */
  readonly sections: readonly string[];
  /** What it cannot do, and in which sections. */
  readonly limits: readonly Limit[];
  /** Settings of the server that this version does not know. */
  readonly newer: readonly string[];
}

/** The account, its organization, and what it may manage: a few lines. */
export function renderWhoami({ snapshot, sections, limits, newer }: AccountReach, style: Style): string {
  const { account, realm, server } = snapshot;
  const kind = account.is_bot ? IS_BOT : "";
  const name = account.full_name === account.email ? "" : clean(account.full_name);
  return printText(style, [
    [
      paint(style, "bold", dotted(style, [clean(account.email), name, roleName(account), kind].filter(Boolean))),
      dotted(style, [realmName(realm.url), clean(realm.name)]),
      dotted(style, [`Zulip ${clean(server.zulip_version)}`, `feature level ${server.feature_level}`]),
    ],
    [
      { label: "can manage", text: sections.join(", ") },
      ...limits.map((limit, at) => ({ label: at === 0 ? "limits" : " ", text: lineOf(limit) })),
      { label: "not known", text: newerText(newer, server.feature_level) || newerLevelText(server.feature_level) },
    ],
  ]);
}

/** A limit of whole sections names them itself. */
const lineOf = ({ sections, fact, isPartial }: Limit): string =>
  isPartial ? `${sections.join(", ")}: ${limitText(fact)}` : limitText(fact);

export function whoamiJson({ snapshot, sections, limits, newer }: AccountReach): string {
  const { account, realm, server } = snapshot;
  const { unknown_role: _, ...known } = account;
  const json: WhoamiJson = {
    format: "realmctl.whoami",
    version: 1,
    realm,
    server,
    account: { ...known, role: roleName(account) },
    sections: [...sections],
    limits: limits.map(({ sections: about, fact, isPartial }) => ({
      sections: [...about],
      message: limitText(fact),
      partial: isPartial,
    })),
    ...defined({ newer_settings: newer.length === 0 ? undefined : [...newer] }),
    exit_code: 0,
  };
  return renderJson(json);
}

/** Something that an account cannot do, and why. */
export interface Limit {
  /** The sections that the limit is about. */
  readonly sections: readonly string[];
  readonly fact: LimitFact;
  /** Whether the limit is only about some objects or fields of the section, as the fact says. */
  readonly isPartial: boolean;
}

/** Why an account cannot manage the kinds with these nouns. */
export interface SectionLimit {
  readonly kind: "administrators-only" | "owners-only" | "no-bots" | "bots-from-level" | "no-guests" | "from-level";
  readonly nouns: readonly string[];
  readonly level: number;
}

/** Why an account cannot manage some kinds, or a part of one. */
export type LimitFact = SectionLimit | { readonly kind: "caveat"; readonly caveat: ReachCaveat };

export function limitText(fact: LimitFact): string {
  return fact.kind === "caveat"
    ? REACH_CAVEATS[fact.caveat]
    : `${listNames(fact.nouns, fact.nouns.length)} ${why(fact)}`;
}

const why = cases<SectionLimit, "kind">("kind", {
  "administrators-only": "can be changed by administrators only",
  "owners-only": "can be changed by owners only",
  "no-bots": "are not available to bots: use the key of a person",
  "bots-from-level": ({ level }) => `are not available to bots before feature level ${level}: use the key of a person`,
  "no-guests": "are not available to guests",
  "from-level": ({ level }) => `need feature level ${level}`,
});

/** What an account cannot do in a section, after the section's name. */
const REACH_CAVEATS: { readonly [caveat in ReachCaveat]: string } = {
  "owners-change-owners": "only owners can change who is an owner",
  "owners-change-some-settings": "only owners can change some of the settings",
  "owners-change-retention": "only owners can change message_retention_days",
  "privacy-from-inside":
    "to make a private channel public, or to set who may join it, the account must be subscribed, or be named in the channel's groups",
  "channels-that-name-it":
    "it can change only channels that name it in can_administer_channel_group, and it does not see every private channel",
};
