import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Variables that a CI host sets, and tests. */
const OF_HOSTS = /^(GITHUB|GITEA|FORGEJO|GITLAB|CI|RUNNER|INPUT|ACTIONS|REALMCTL_TOKEN|REALMCTL_RUNS|REALMCTL_SEED)/;

/** Names of variables in the sources of the command line and of what it uses: read by name, or in a list of names. */
function inSources(): ReadonlySet<string> {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/^(action|sandbox|explain|report[/\\]words)/.test(file))
    .map((file) => readFileSync(join(root, "src", file), "utf8"));
  const named = files.flatMap((text) => [
    ...text.matchAll(/\benv\.([A-Za-z_]{3,})\b/g),
    ...text.matchAll(/(?<=[["( ])"(ZULIP_[A-Z_]+|[a-z]+_proxy|[A-Z]+_PROXY)"/g),
  ]);
  return new Set(named.map(([, name = ""]) => name).filter((name) => !OF_HOSTS.test(name)));
}

const page = readFileSync(join(root, "docs/reference/environment.md"), "utf8");
const inTable = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(([, name = ""]) => name),
);

test("the table lists exactly the variables that are read", () => {
  expect([...inTable].sort()).toEqual([...inSources()].sort());
});
