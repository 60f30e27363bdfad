import { EMPTY_TOPIC_LEVEL, UNARCHIVE_LEVEL } from "../src/kinds/channel/check.ts";
import { CREATE_LEVEL } from "../src/kinds/channel/create.ts";
import { SWITCH_LEVEL } from "../src/kinds/channel/risks.ts";
import { QUIET_LEVEL } from "../src/kinds/channel/subscriptions.ts";
import { ORDER_LEVEL } from "../src/kinds/channel-folder/kind.ts";
import { TERM_LEVELS } from "../src/kinds/invitation-terms.ts";
import { LONG_TEXT_IN_SUMMARY } from "../src/kinds/profile-field/schema.ts";
import { kinds } from "../src/kinds/registry.ts";
import { PROPERTIES } from "../src/kinds/settings/properties.ts";
import { RECENT_LEVEL } from "../src/kinds/user-defaults/properties.ts";
import { REACTIVATE_LEVEL } from "../src/kinds/user-group/check.ts";
import { NEWEST_KNOWN_LEVEL, NEXT_RELEASE, RELEASES, releaseOf } from "../src/model/releases.ts";
import { OLDEST_LEVEL } from "../src/zulip/failures.ts";
import { OPERATIONS } from "../src/zulip/operations.ts";
import { LEVEL_ROWS, LEVEL_UNKNOWN } from "./level-rows.ts";

/** Something that a server has from a level on, or no longer has. */
interface Since {
  readonly level: number;
  /** More levels of the same matter. */
  readonly others?: readonly number[];
  readonly cells: readonly string[];
}

/** docs/reference/levels.md: which server has what. Only the rows of {@link LEVEL_ROWS} are written for it; all else stands in the code that uses it. */
export function levelsPage(made: string): string {
  return `${made}
# Feature levels

Zulip numbers the changes of its API: every server says its feature level, and \`realmctl whoami\` shows it. realmctl works with servers from level ${OLDEST_LEVEL} on and knows the
changes up to ${NEWEST_KNOWN_LEVEL}.

| release | levels that it may report | version that the first such server says |
| --- | --- | --- |
${releases()}

- **An older server**: what it does not have is refused in the plan, with the level that has it, before anything is sent. Below ${OLDEST_LEVEL} no command reads the organization.
- **A newer server**: one line says so. Settings that this version does not know are counted and named once, and never changed; rights that the server describes can be managed by its own names. That needs a name of the form \`can_…\`, \`…_group\` or \`…_groups\`, as all names of Zulip have: one of another form is counted and named, but an error in a file, since plans and journals, which have no server to ask, recognize a right by its name ([why](../internals/decisions/0006-unknown-rights-come-from-the-server.md)). Values that this version does not know stay as they are. An account with an unknown role is [shown and left alone](../access.md#roles-that-this-version-does-not-know).
- **Offline** (\`validate\`), every level is possible: nothing is refused for its level.
- **The sandbox** is a server of level 442, of another one with \`--feature-level\`, whose version it then says, or of that of its snapshot.

## Sections and fields

Fields that are not listed exist on every server from level ${OLDEST_LEVEL} on.

${table(["level", "release", "section", "field"], fields())}

Older names and forms, which realmctl translates, and what it does differently below a level:

${table(["level", "release", "section", "from this level on"], translated())}

## Changes since level 442

realmctl was compared with recordings of servers of levels 384 and 442. What follows is known from documents and from the server's code.

${table(["level", "release", "change", "realmctl"], changes())}

Without a level that is known:

| change | realmctl |
| --- | --- |
${LEVEL_UNKNOWN.map(({ change, does }) => `| ${cell(change)} | ${cell(does)} |`).join("\n")}

## Operations and parameters

What \`realmctl api\` can send, if not every server has it.

${table(["level", "release", "operation", "parameter", ""], parameters())}
`;
}

function releases(): string {
  const rows = RELEASES.map(
    ({ name, last, versions }, at) =>
      `| ${name} | ${(RELEASES[at - 1]?.last ?? OLDEST_LEVEL - 1) + 1}–${last} | ${versionsOf(versions)} |`,
  );
  return [
    ...rows,
    `| ${NEXT_RELEASE.name} | ${(RELEASES.at(-1)?.last ?? 0) + 1}–${NEWEST_KNOWN_LEVEL}, and above | ${versionsOf(NEXT_RELEASE.versions)} |`,
  ].join("\n");
}

/** "12.0-dev+git, from 498 on 12.0" */
const versionsOf = (versions: (typeof NEXT_RELEASE)["versions"]): string =>
  versions.map(([from, version], at) => (at === 0 ? version : `from ${from} on ${version}`)).join(", ");

function fields(): readonly Since[] {
  const terms = ["invites", "invite_links"].flatMap((section) =>
    Object.entries(TERM_LEVELS).map(([field, level]) => ({ level, cells: [code(section), code(field)] })),
  );
  const others = kinds.flatMap(({ section, live, file }): readonly Since[] => {
    const whole = live.level ?? 0;
    const own = Object.entries(file.fields).flatMap(([field, { level = 0 }]) =>
      level > Math.max(whole, OLDEST_LEVEL) ? [{ level, cells: [code(section), code(field)] }] : [],
    );
    return whole > OLDEST_LEVEL ? [{ level: whole, cells: [code(section), "the whole section"] }, ...own] : own;
  });
  return [...others, ...terms];
}

function translated(): readonly Since[] {
  const renamed = Object.entries(PROPERTIES).flatMap(([name, { api = name, older }]): readonly Since[] =>
    older === undefined
      ? []
      : [
          {
            level: older.until,
            cells: ["settings", `\`${name}\`: ${code(api)} in the API, before ${code(older.api)}`],
          },
        ],
  );
  const bots = kinds.flatMap(({ section, reach }): readonly Since[] =>
    typeof reach?.bots === "number" ? [{ level: reach.bots, cells: [section, "bots may change them"] }] : [],
  );
  const others: readonly (readonly [number, string, string])[] = [
    [REACTIVATE_LEVEL, "user_groups", "a deactivated group can be reactivated"],
    [UNARCHIVE_LEVEL, "channels", "an archived channel can be unarchived"],
    [EMPTY_TOPIC_LEVEL, "channels", "`topics_policy` can be `empty_topic_only`"],
    [QUIET_LEVEL, "channels", "people who are subscribed get no messages about it"],
    [ORDER_LEVEL, "channel_folders", "the order can be changed"],
    [CREATE_LEVEL, "channels", "a channel can be created without a subscriber"],
    [SWITCH_LEVEL, "channels", "the organization decides whether changes are posted in the channel"],
    [RECENT_LEVEL, "user_defaults", "`web_home_view`: `recent`, before `recent_topics` in the API"],
    [LONG_TEXT_IN_SUMMARY, "profile_fields", "`in_profile_summary` for `long_text`"],
  ];
  return [...renamed, ...bots, ...others.map(([level, ...cells]) => ({ level, cells }))].map(
    ({ level, cells: [section = "", text = ""] }) => ({ level, cells: [code(section), text] }),
  );
}

function changes(): readonly Since[] {
  return LEVEL_ROWS.flatMap(({ levels: [level, ...others], change, does }) =>
    level === undefined ? [] : [{ level, others, cells: [change, does] }],
  );
}

function parameters(): readonly Since[] {
  return OPERATIONS.flatMap(({ name, level: since, params }): readonly Since[] => {
    const whole = since > OLDEST_LEVEL ? [{ level: since, cells: [code(name), "", "the whole operation"] }] : [];
    const own = Object.entries(params).flatMap(([parameter, { level, until }]): readonly Since[] => [
      ...(level > Math.max(since, OLDEST_LEVEL) ? [{ level, cells: [code(name), code(parameter), "from"] }] : []),
      ...(until === undefined ? [] : [{ level: until, cells: [code(name), code(parameter), "gone"] }]),
    ]);
    return [...whole, ...own];
  });
}

function table(head: readonly string[], rows: readonly Since[]): string {
  const lines = rows
    .toSorted((one, other) => one.level - other.level)
    .map(({ level, others = [], cells }) => {
      const levels = [level, ...others];
      const releases = new Set(levels.map((each) => releaseOf(each).name));
      return `| ${[levels.join(", "), [...releases].join("; "), ...cells].map(cell).join(" | ")} |`;
    });
  return [`| ${head.join(" | ")} |`, `|${head.map(() => " --- |").join("")}`, ...lines].join("\n");
}

const code = (text: string): string => `\`${text}\``;
/** The text of a table cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|");
