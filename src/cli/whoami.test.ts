import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { error, SITE } from "../../test/support/zulip/scripted.ts";
import { WhoamiForm } from "../model/output-schemas.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { inProcess } from "../zulip/transport.ts";

const snapshot = realmOf({});
const sandbox = createSandbox({ from: snapshot });
const transport = inProcess((request) => sandbox.fetch(request));
const { email } = snapshot.account;
const env = { ZULIP_SITE: SITE, ZULIP_EMAIL: email, ZULIP_API_KEY: sandbox.accounts[email]?.api_key ?? "" };

test("the account, the organization, and what the account may manage", async () => {
  const { out, err, exitCode } = await runCommandLine(["whoami"], { env, transport });
  expect([err, exitCode]).toEqual(["", 0]);
  expect(out).toMatchInlineSnapshot(`
    "ada@acme.example · Ada Okafor · owner
    localhost:9911 · Acme Foundry
    Zulip 12.0-dev+git · feature level 442

    can manage   settings, user_defaults, people, bots, user_groups, channel_folders, channels,
                 default_channels, linkifiers, domains, profile_fields, emoji, playgrounds,
                 navigation_views, invites, invite_links
    limits       channels: to make a private channel public, or to set who may join it, the account must
                 be subscribed, or be named in the channel's groups
    "
  `);
});

test("as JSON, which matches its schema and has no secret", async () => {
  const { out } = await runCommandLine(["whoami", "--format", "json"], { env, transport });
  expect(WhoamiForm.parse(JSON.parse(out))).toMatchObject({ account: { email, role: "owner" }, exit_code: 0 });
  expect(out).not.toContain(env.ZULIP_API_KEY);
});

test("refused credentials end with their own exit code, and change nothing", async () => {
  const refused = async () => error(401, "UNAUTHORIZED", "Invalid API key");
  const { err, exitCode } = await runCommandLine(["whoami"], { env, transport: refused });
  expect(err).toContain("the credentials of");
  expect(exitCode).toBe(6);
});
