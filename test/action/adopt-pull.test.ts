import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { organizationInLine } from "./file-and-head.ts";
import { type Repository, repositoryOfTests, SHA, type Step } from "./runner.ts";

const repository = repositoryOfTests({ from: await organizationInLine() });

/** What every organization here has already. */
const FILE = `# The organization.
version: 1
manage: {channels: additive}
channels:
  # Everybody reads this one.
  general: {description: Everything}   # short on purpose
  "sandbox":
    description: 'Try things out'
`;

/** The file on main and in the checkout, and the realm with the values of that file. */
async function begin(text = FILE): Promise<void> {
  commit(text);
  if (text !== FILE) await repository.world.bringInLine(text);
}

function commit(text: string): void {
  repository.github.git.commits[SHA.main] = { "realm.yaml": text, "other.txt": "Other\n" };
  repository.file("realm.yaml", text);
}

const describeChannel = (name: string, description: string): Promise<void> =>
  repository.world.editChannel(name, { description });

const drift = (inputs: { [name: string]: string } = {}): Promise<Step> =>
  repository.run("drift", {
    event: "schedule",
    sha: SHA.main,
    inputs: { "adopt-pull-request": "true", issue: "false", "fail-on-drift": "false", ...inputs },
  });

/** The files on the pull request's branch. */
function branch(): { name: string; sha: string; files: { [path: string]: string } } | undefined {
  const { branches, commits } = repository.github.git;
  const name = Object.keys(branches).find((one) => one.startsWith("realmctl/"));
  const sha = name === undefined ? undefined : branches[name];
  return name === undefined || sha === undefined ? undefined : { name, sha, files: commits[sha] ?? {} };
}

test("opened, left alone, kept up to date, closed: only the differences change in the file", async () => {
  await begin();
  const { github } = repository;
  expect(await drift()).toMatchObject({ code: 0, outputs: { "adopt-pull-request": "" } });
  expect([github.writes(), branch()]).toEqual([[], undefined]);

  await describeChannel("general", "Anything: goes");
  expect(await drift()).toMatchObject({ code: 0, outputs: { "adopt-pull-request": "500" } });
  const [pull] = github.git.pulls;
  expect(pull).toMatchObject({
    state: "open",
    base: "main",
    head: branch()?.name,
    body: expect.stringContaining("#general"),
  });
  expect(branch()?.files).toEqual({
    "realm.yaml": FILE.replace("Everything}", '"Anything: goes"}'),
    "other.txt": "Other\n",
  });
  expect(github.git.parents[branch()?.sha ?? ""]).toEqual([SHA.main]);

  github.writes();
  await drift();
  expect(github.writes()).toEqual([]);

  await describeChannel("sandbox", "Play");
  await drift();
  expect(pull).toMatchObject({ edits: 1, state: "open" });
  expect(branch()?.files["realm.yaml"]).toContain("description: 'Play'");
  expect(github.git.pulls).toHaveLength(1);

  // Somebody merged it.
  commit(branch()?.files["realm.yaml"] ?? "");
  expect((await drift()).outputs["adopt-pull-request"]).toBe("");
  expect(pull).toMatchObject({ state: "closed" });
  expect(branch()).toBeUndefined();
  expect(github.comments).toMatchObject([{ pull: 500, body: expect.stringContaining("matches the file again") }]);
  // The same drift again is not the drift whose pull request a person closed.
  await describeChannel("general", "Else");
  await drift();
  expect(github.git.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);
});

describe("people's actions have priority", () => {
  test("a pull request that somebody closed stays closed until the drift changes", async () => {
    await begin();
    await describeChannel("general", "Anything");
    await drift();
    const [pull] = repository.github.git.pulls;
    if (pull !== undefined) pull.state = "closed";
    repository.github.writes();
    const step = await drift();
    expect(repository.github.writes()).toEqual([]);
    expect(step.log).toContain("it is not opened again");
    await describeChannel("general", "Something");
    await drift();
    expect(repository.github.git.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);
  });

  test("commits of others on the branch are not overwritten, and the branch is not deleted while it has them", async () => {
    await begin();
    await describeChannel("general", "Anything");
    await drift();
    const { git } = repository.github;
    const own = branch();
    const sha = "7".repeat(40);
    git.commits[sha] = { ...own?.files, "realm.yaml": "version: 1\n" };
    git.parents[sha] = [own?.sha ?? ""];
    git.messages[sha] = "By hand";
    git.branches[own?.name ?? ""] = sha;
    await describeChannel("general", "Something");
    expect((await drift()).log).toContain("commits by somebody else");
    expect(branch()?.sha).toBe(sha);
    await describeChannel("general", "Everything");
    await drift();
    expect(git.pulls[0]?.state).toBe("closed");
    expect(branch()?.sha).toBe(sha);
  });

  test.each<readonly [string, (git: Repository["github"]["git"], own: string, amended: string) => void]>([
    [
      "other files",
      (git, own, amended) => {
        git.commits[amended] = { ...git.commits[own], "other.txt": "Mine\n" };
      },
    ],
    [
      "other words",
      (git, own, amended) => {
        git.messages[amended] = `Better words\n\n${git.messages[own]?.split("\n\n")[1] ?? ""}`;
      },
    ],
    [
      "another parent",
      (git, _, amended) => {
        git.parents[amended] = [SHA.base];
      },
    ],
  ])("a commit that somebody amended, with %s under the same trailer, is not the Action's", async (_, amend) => {
    await begin();
    await describeChannel("general", "Anything");
    await drift();
    const { git } = repository.github;
    const own = branch()?.sha ?? "";
    const amended = "8".repeat(40);
    git.commits[amended] = { ...git.commits[own] };
    git.parents[amended] = git.parents[own] ?? [];
    git.messages[amended] = git.messages[own] ?? "";
    // The same commit with another id also counts as ours.
    git.branches[branch()?.name ?? ""] = amended;
    await describeChannel("general", "Something");
    await drift();
    expect(branch()?.sha).not.toBe(amended);
    const next = branch()?.sha ?? "";
    git.commits[amended] = { ...git.commits[next] };
    git.parents[amended] = git.parents[next] ?? [];
    git.messages[amended] = git.messages[next] ?? "";
    amend(git, next, amended);
    git.branches[branch()?.name ?? ""] = amended;
    await describeChannel("general", "Else");
    expect((await drift()).log).toContain("commits by somebody else");
    expect(branch()?.sha).toBe(amended);
    await describeChannel("general", "Everything");
    await drift();
    expect(branch()?.sha).toBe(amended);
  });

  test("after a merge, the next drift gets its own pull request", async () => {
    await begin();
    await describeChannel("general", "Anything");
    await drift();
    const [pull] = repository.github.git.pulls;
    if (pull !== undefined) Object.assign(pull, { state: "closed", merged_at: "2026-11-21T12:00:00Z" });
    await drift();
    expect(repository.github.git.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);
  });
});

describe("nothing else is changed", () => {
  test.each([
    ["a byte order mark", `\ufeff${FILE}`],
    ["Windows' line ends", FILE.replaceAll("\n", "\r\n")],
    ["a last line without a line feed", FILE.trimEnd()],
  ])("%s stays", async (_, text) => {
    await begin(text);
    await describeChannel("general", "Anything");
    await drift();
    expect(branch()?.files["realm.yaml"]).toBe(text.replace("Everything}", "Anything}"));
  });

  test("an executable file stays executable, and an included file is changed in place", async () => {
    const main = "version: 1\ninclude: [parts/*.yaml]\nmanage: {channels: additive}\n";
    const part = "channels:\n  general: {description: Everything} # kept\n";
    await begin();
    repository.file("realm.yaml", main);
    repository.file("parts/a.yaml", part);
    repository.github.git.commits[SHA.main] = { "realm.yaml": main, "parts/a.yaml": part };
    repository.github.git.modes["realm.yaml"] = "100755";
    await describeChannel("general", "Anything");
    await drift();
    expect(branch()?.files).toEqual({ "realm.yaml": main, "parts/a.yaml": part.replace("Everything", "Anything") });
    expect(repository.github.git.modes).toEqual({ "realm.yaml": "100755" });
    expect(repository.github.git.pulls[0]?.body).not.toContain("For other organizations, too");
  });

  test("the pull request says which other organizations include a file that it changes", async () => {
    const main = "version: 1\ninclude: [parts/*.yaml]\nmanage: {channels: additive}\n";
    const part = "channels:\n  general: {description: Everything}\n";
    await begin();
    const files = { "realm.yaml": main, "staging.yaml": main, "alone.yaml": "version: 1\n", "parts/a.yaml": part };
    for (const [name, text] of Object.entries(files)) repository.file(name, text);
    repository.github.git.commits[SHA.main] = files;
    await describeChannel("general", "Anything");
    await drift();
    expect(repository.github.git.pulls[0]?.body).toContain(
      "- `parts/a.yaml` is a part of `staging.yaml`, too: merging this changes what those files ask for",
    );
  });

  test("the commit contains the committed content, even if an earlier step changed the checkout", async () => {
    await begin();
    await describeChannel("general", "Anything");
    repository.file("realm.yaml", `${FILE}# made up\n`);
    await drift();
    expect(branch()?.files["realm.yaml"]).toBe(FILE.replace("Everything}", "Anything}"));
  });
});

describe("what cannot be changed through GitHub's API is reported, and no branch is made", () => {
  test.each<{ code: string; words: string; change: () => void; env?: { [name: string]: string } }>([
    {
      code: "config/cannot-read",
      words: "realm.yaml cannot be read: it is a link or another repository",
      change: () => Object.assign(repository.github.git.modes, { "realm.yaml": "120000" }),
    },
    {
      code: "adopt/no-branch",
      words: "a pull request cannot be opened against refs/tags/v1",
      change: () => {},
      env: { GITHUB_REF: "refs/tags/v1" },
    },
  ])("$words", async ({ code, words, change, env = {} }) => {
    await begin();
    await describeChannel("general", "Anything");
    change();
    const step = await repository.run("drift", {
      event: "schedule",
      sha: SHA.main,
      inputs: { "adopt-pull-request": "true", issue: "false", "fail-on-drift": "false" },
      env,
    });
    expect(step.log).toContain(`title=${code}`);
    expect(step.log).toContain(words);
    expect(repository.github.git.pulls).toEqual([]);
  });
});

describe("values that must not reach the repository", () => {
  const names = { "show-private-names": "true" };
  const text = FILE.replace("additive", "exact").concat(
    "  Zulip: {description: About}\n  random: {description: Anything else}\n",
  );

  test("a private channel that the file does not name is left out, and the rest is adopted", async () => {
    await begin(text);
    await repository.world.subscribe("canary-board-room", { description: "hush", invite_only: true });
    await describeChannel("general", "Anything");
    const step = await drift();
    const shown = `${JSON.stringify(repository.github.git)}${repository.published([step])}`;
    expect(shown).not.toMatch(/canary-board-room|hush/);
    expect(branch()?.files["realm.yaml"]).toContain("Anything}");
    expect(repository.github.git.pulls[0]?.body).toContain("private channel");
    await drift(names);
    expect(branch()?.files["realm.yaml"]).toContain("canary-board-room");
  });

  test("one object that is left out does not stop the adoption of hundreds of others", async () => {
    await begin(text);
    await repository.world.subscribe("canary-board-room", { description: "hush", invite_only: true });
    commit(text + Array.from({ length: 400 }, (_, at) => `  team-${at}: {description: Team ${at}}\n`).join(""));
    await drift();
    expect(branch()?.files["realm.yaml"]).toBe(text);
  });

  test("a snapshot with made-up names is refused", async () => {
    await begin();
    await describeChannel("general", "Anything");
    repository.upload(
      await repository.run("snapshot", { event: "push", sha: SHA.main }),
      "realmctl-snapshot",
      "snapshot-file",
    );
    const step = await drift({ snapshot: "artifact" });
    expect(step.log).toContain("title=adopt/hidden-snapshot");
    expect(branch()).toBeUndefined();
  });
});

describe("a refusal by GitHub is reported, and the drift is still in the summary", () => {
  test.each([
    ["contents", { "pull-requests": "write", contents: "read" }, "contents: write"],
    ["pull requests", { "pull-requests": "read", contents: "write" }, "pull-requests: write"],
  ] as const)("%s", async (_, permissions, words) => {
    await begin();
    await describeChannel("general", "Anything");
    repository.github.permissions = permissions;
    const step = await drift();
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain(words);
    expect(step.summary).toContain("general");
  });

  test.each([
    [
      /POST .*\/pulls$/,
      403,
      "GitHub Actions is not permitted to create or approve pull requests.",
      "Allow GitHub Actions to create",
    ],
    [/POST .*git\/refs$/, 422, "Repository rule violations found", "a rule of the repository"],
  ])("%s: %i %s", async (match, status, message, words) => {
    await begin();
    await describeChannel("general", "Anything");
    repository.github.refuse.push({ match, status, message });
    const step = await drift();
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain(words);
  });
});
