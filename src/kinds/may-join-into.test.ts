import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { snapshotText } from "../zulip/snapshot.ts";

const SOME = { direct_members: [12, 13], direct_subgroups: [] };
const WHO = "{users: ['user:12', 'user:13']}";
const GROUPS =
  "user_groups: {crew: {members: [farah@acme.example]}, leads: {members: [], permissions: {can_join_group: ";
const TWO = "2 more people may add themselves to";
const NAMES = "administer #board realm.yaml:2 Gustavo Lima and Hana Sato";

test.each<{ what: string; yaml: string; board?: string; crew?: object; says: string | undefined }>([
  {
    what: "the channel names the group",
    yaml: "channels: {board: {permissions: {can_administer_channel_group: crew}}}",
    board: "role:nobody",
    crew: { can_join_group: SOME },
    says: `${TWO} crew, whose members ${NAMES}`,
  },
  {
    what: "the group becomes joinable",
    yaml: `user_groups: {crew: {permissions: {can_join_group: ${WHO}}}}`,
    says: `${TWO} crew, whose members ${NAMES}`,
  },
  {
    what: "somebody may add to the group",
    yaml: `user_groups: {crew: {permissions: {can_add_members_group: ${WHO}}}}`,
    says: `${TWO} crew, whose members ${NAMES}`,
  },
  {
    what: "a group in it becomes joinable",
    yaml: `${GROUPS}${WHO}}}}`,
    crew: { subgroups: ["leads"] },
    says: `${TWO} leads, whose members ${NAMES}`,
  },
  {
    what: "everybody may manage all groups",
    yaml: `settings: {permissions: {can_manage_all_groups: ${WHO}}}`,
    says: `${TWO} crew, whose members ${NAMES}`,
  },
  {
    what: "they could before",
    yaml: `user_groups: {crew: {permissions: {can_add_members_group: ${WHO}}}}`,
    crew: { can_join_group: SOME },
    says: undefined,
  },
  {
    what: "they administer the channel already",
    yaml: `user_groups: {crew: {permissions: {can_join_group: ${WHO}}}}`,
    crew: { members: ["gustavo@acme.example", "hana@acme.example"] },
    says: undefined,
  },
])("a plan names who can come to administer a channel: $what", async ({ yaml, board = "crew", crew, says }) => {
  const reading = realmOf({
    user_groups: [
      { name: "leads", members: [] },
      { name: "crew", members: ["farah@acme.example"], ...crew },
    ],
    channels: [{ name: "board", can_administer_channel_group: board }],
  });
  const files = { "realm.yaml": `version: 1\n${yaml}\n`, "s.json": snapshotText(reading) };
  const { out, err } = await runCommandLine(["plan", "--snapshot", "s.json"], { files });
  const text = `${out}${err}`.replace(/\s+/g, " ");
  if (says === undefined) expect(text).not.toContain("administer #board");
  else expect(text).toContain(says);
});
