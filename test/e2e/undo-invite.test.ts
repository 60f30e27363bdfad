import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

test("undoing a run that sent invitations revokes those that are still open", async () => {
  const world = await worldOfTest();
  const before = world.sandbox.state().invites.length;
  await world.bringInLine(
    "version: 1\ninvites:\n  - {emails: [newcomer@acme.example], send_until: 2099-01-01, channels: [general]}\n",
  );
  expect(world.sandbox.state().invites).toHaveLength(before + 1);
  const [journal = ""] = world.journals();
  const undone = await world.realmctl(`apply --yes --undo .realmctl/${journal}`);
  expect(undone.code, undone.out + undone.err).toBe(EXIT.done);
  expect(world.sandbox.state().invites).toHaveLength(before);
});

test.each([
  { as: "a link", into: "invite_links: [{expires_on: never, invite_as: member, groups: [crew]}]", account: "owner" },
  {
    as: "an invitation",
    into: "invites: [{emails: [newcomer@acme.example], groups: [crew], send_until: 2099-01-01}]",
    account: "owner",
  },
  // A bot does not see which invitations are open.
  { as: "a link that the account cannot see", into: "", account: "deploy-bot@localhost" },
])("an undo counts who comes in by $as of the organization's file", async ({ into, account }) => {
  const world = await worldOfTest();
  await world.edit("owner", "PATCH", "/bots/17", { role: 200 });
  const link = "invite_links: [{expires_on: never, invite_as: member, groups: [crew]}]";
  const file = (admitted: string, more: string): string => `version: 1
policy: {limits: {people_gaining_access: 1}}
user_groups: {crew: {members: [ada@acme.example]}}
channels: {vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example, deploy-bot@localhost]}, permissions: {can_subscribe_group: ${admitted}}}}
${more}
`;
  const applied = async (yaml: string): Promise<string | undefined> => {
    world.file("realm.yaml", yaml);
    const { code, out, err } = await world.realmctl("apply --yes");
    expect(code, out + err).toBe(EXIT.done);
    return /--undo (\S+)/.exec(out)?.[1];
  };
  await applied(file("crew", ""));
  const journal = await applied(file("role:nobody", ""));
  await applied(file("role:nobody", into || link));
  const undone = await world.realmctl(`apply --yes --foreign-journal --undo ${journal}`, { as: account });
  const said = `${undone.out}${undone.err}`.replaceAll(/\s+/g, " ");
  expect(said).toContain("people gaining access to what is private: 2, but at most 1 is allowed");
  expect(undone.code).toBe(EXIT.refusedByGuard);
});
