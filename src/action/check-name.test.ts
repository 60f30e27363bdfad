import { describe, expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { type GithubEvent, type Inputs, readEvent, readInputs } from "./inputs.ts";
import { checkName, refuseOtherBase } from "./publish.ts";

const inputsOf = (given: { readonly [name: string]: string }): Inputs =>
  readInputs((name) => ({ command: "plan", ...given })[name] ?? "");

function pullInto(base: string): GithubEvent {
  const repo = { full_name: "acme/chat" };
  const pull_request = { number: 7, head: { sha: "1", repo }, base: { sha: "2", ref: base, repo } };
  return readEvent(
    { GITHUB_REPOSITORY: "acme/chat", GITHUB_EVENT_NAME: "pull_request" },
    JSON.stringify({ repository: { id: 1, default_branch: "main" }, pull_request }),
  );
}

function isPlanned(base: string, given: { readonly [name: string]: string }): boolean {
  try {
    refuseOtherBase({ event: pullInto(base), inputs: inputsOf(given) });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ exitCode: EXIT.refusedByGuard, diagnostics: [{ code: "action/base-branch" }] });
    return false;
  }
}

describe("the target branch of a pull request", () => {
  test.each([
    { base: "main", listed: "", planned: true },
    { base: "Main", listed: "", planned: false },
    { base: "main ", listed: "", planned: false },
    { base: "", listed: " , ", planned: false },
    { base: "main2", listed: "main", planned: false },
    { base: "main", listed: "Main", planned: false },
    { base: "main", listed: "staging", planned: false },
    { base: "a,b", listed: "a,b", planned: false },
    { base: "b", listed: "a,\n b\t", planned: true },
  ])("$base, if the input lists $listed: planned $planned", ({ base, listed, planned }) => {
    expect(isPlanned(base, { "base-branches": listed })).toBe(planned);
  });

  test("a branch counts only if a name in the input equals it exactly", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_]([A-Za-z0-9_/-]{0,6}[A-Za-z0-9_])?$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), name, (listed, base) => {
        const given = { "base-branches": listed.join(", ") };
        for (const one of [base, ...listed, `${listed[0]}x`, listed[0]?.toUpperCase() ?? ""])
          expect(isPlanned(one, given)).toBe(listed.includes(one));
      }),
    );
  });

  test.each(["release/*", "refs/heads/main", "main?", "[main]", "ma~1", "a..b"])(
    "%s is not a branch: reported at once, and not only when a plan is refused for it",
    (name) => {
      expect(() => inputsOf({ "base-branches": `main, ${name}` })).toThrow(Failure);
      expect(() => inputsOf({ "base-branches": `main, ${name}` })).toThrow("input base-branches");
    },
  );
});

test("a check is named after its organization, file and branch, and nothing else", () => {
  const name = (file: string, site: string, base: string): string =>
    checkName({ event: pullInto(base), inputs: inputsOf({ file, "zulip-site": site }), env: {} });
  expect(name("realm.yaml", "https://chat.example.org", "main")).toBe("realmctl plan (chat.example.org into main)");
  expect(name("teams.yaml", "https://chat.example.org", "main")).toBe(
    "realmctl plan (chat.example.org, teams.yaml into main)",
  );
  expect(name("teams.yaml", "", "main")).toBe("realmctl plan (teams.yaml into main)");
  const all = ["realm.yaml", "teams.yaml"].flatMap((file) =>
    ["", "https://a.example.org", "https://b.example.org"].flatMap((site) =>
      ["main", "other"].map((base) => name(file, site, base)),
    ),
  );
  expect(new Set(all).size).toBe(all.length);
});
