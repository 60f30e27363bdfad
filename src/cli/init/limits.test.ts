import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { kinds } from "../../kinds/registry.ts";
import { limitsOf } from "./limits.ts";

const about = (sections: readonly string[]): readonly string[] => [...new Set(sections)].sort();

test.each([
  { who: "an owner", role: 100, is_bot: false, level: 442, sections: ["channels"] },
  {
    who: "an administrator",
    role: 200,
    is_bot: false,
    level: 442,
    sections: ["channels", "domains", "people", "settings"],
  },
  {
    who: "a member",
    role: 400,
    is_bot: false,
    level: 442,
    sections: [
      "channel_folders",
      "channels",
      "default_channels",
      "domains",
      "linkifiers",
      "people",
      "playgrounds",
      "profile_fields",
      "settings",
      "user_defaults",
    ],
  },
  {
    who: "a bot that is an owner",
    role: 100,
    is_bot: true,
    level: 442,
    sections: ["channels", "invite_links", "invites", "user_groups"],
  },
  {
    who: "a bot on a newer server",
    role: 100,
    is_bot: true,
    level: 500,
    sections: ["channels", "invite_links", "invites"],
  },
  {
    who: "an owner of an old server",
    role: 100,
    is_bot: false,
    level: 384,
    sections: ["channel_folders", "channels", "navigation_views"],
  },
] as const)("$who at level $level", ({ role, is_bot, level, sections }) => {
  const { account, server, ...rest } = realmOf({});
  const snapshot = { ...rest, account: { ...account, role, is_bot }, server: { ...server, feature_level: level } };
  expect(about(limitsOf(snapshot, kinds).flatMap((limit) => limit.sections))).toEqual(sections);
});
