import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import type { WhoamiJson } from "../model/output-schemas.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { renderJson } from "./json.ts";
import { printText, realmName } from "./layout.ts";
import { dotted, paint, type Style } from "./style.ts";
import { type Limit, limitText } from "./words/limits.ts";
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
