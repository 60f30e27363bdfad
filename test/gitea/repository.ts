import { execFileSync } from "node:child_process";
import { type Ran as Command, World } from "../e2e/world.ts";
import { Forge, numberOf, objectsOf, ROOT, textOf } from "./forge.ts";
import { Runner } from "./runner.ts";

/** A comment, as the forge lists it. */
export interface Listed {
  readonly id: number;
  readonly login: string;
  readonly body: string;
  readonly updated: string;
}

/** The scopes that docs/ci.md names for a token of one's own. */
export const LEAST = ["write:issue", "read:user"];
export const REPOSITORY = "acme/zulip";
const FILE = "realm.yaml";

/**
 * A repository on a real forge, for an organization in a sandbox. Ada owns it, Bob may push, Ciro may only read, and his token comments; Mallory has a fork. The
 * branch main is protected: one approval.
 */
export class Repository {
  readonly forge: Forge;
  readonly world: World;
  readonly runner: Runner;
  readonly ada = { login: "ada" };
  readonly bob = { login: "bob" };
  readonly mallory = { login: "mallory" };

  private constructor(forge: Forge, world: World, runner: Runner) {
    this.forge = forge;
    this.world = world;
    this.runner = runner;
  }

  static async start(): Promise<Repository> {
    const [world, forge] = await Promise.all([World.start(), Forge.start()]);
    const started = new Repository(forge, world, await Runner.register(forge, { login: ROOT }));
    await started.furnish().catch(async (error: unknown) => {
      await started.end();
      throw error;
    });
    return started;
  }

  async end(): Promise<void> {
    this.runner.end();
    await this.forge.end();
    await this.world.end();
  }

  /** A public repository of the organization, with Bob. */
  async repository(name: string, options: { readonly auto_init?: boolean } = {}): Promise<void> {
    const { forge, ada } = this;
    await forge.must(ada, "POST", "/orgs/acme/repos", { name, default_branch: "main", ...options });
    await forge.must(ada, "PUT", `/repos/acme/${name}/collaborators/bob`, { permission: "write" });
  }

  git(...args: readonly string[]): string {
    const name = ["-c", "user.name=Bob", "-c", "user.email=bob@example.org"];
    return execFileSync("git", [...name, ...args], {
      cwd: this.world.directory,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }

  /** Commits all files and pushes them as a branch, under this name; the forge looks at what was pushed later. */
  async push(branch: string, message: string, { as = "bob", to = REPOSITORY } = {}): Promise<void> {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
    this.git("push", "--quiet", this.forge.remote(as, to), `HEAD:refs/heads/${branch}`);
    const sha = this.git("rev-parse", "HEAD");
    await this.forge.until(`${branch} of ${to}`, async () => {
      const listed = await this.forge.must(this.ada, "GET", `/repos/${to}/branches`);
      return listed !== null && JSON.stringify(objectsOf(listed).map(({ commit }) => commit)).includes(sha);
    });
  }

  /** Back to the main branch of the forge, on a new local branch. */
  fresh(branch: string): void {
    this.git("fetch", "--quiet", this.forge.remote("bob", REPOSITORY), "main");
    this.git("checkout", "--quiet", "--force", "-B", branch, "FETCH_HEAD");
  }

  /** The file, with another channel. */
  withChannel(name: string, description: string): void {
    const text = this.world
      .read(FILE)
      .replace(/^channels:\n/m, `channels:\n  ${name}: {description: ${description}}\n`);
    this.world.file(FILE, text);
  }

  /** Opens a pull request to main, and gives its number. */
  async pull(head: string, { as = this.bob as { readonly login: string } } = {}): Promise<number> {
    const body = { base: "main", head, title: `Merge ${head}` };
    return numberOf(await this.forge.must(as, "POST", `/repos/${REPOSITORY}/pulls`, body), "number");
  }

  /** Ada approves it, and Bob merges it. */
  async merge(number: number): Promise<void> {
    const pull = `/repos/${REPOSITORY}/pulls/${number}`;
    await this.forge.must(this.ada, "POST", `${pull}/reviews`, { event: "APPROVED", body: "Yes" });
    await this.forge.until("the merge", async () => {
      const { status } = await this.forge.ask(this.bob, "POST", `${pull}/merge`, { Do: "merge" });
      return status === 200;
    });
  }

  async comments(number: number, repository = REPOSITORY): Promise<readonly Listed[]> {
    const listed = await this.forge.must(this.ada, "GET", `/repos/${repository}/issues/${number}/comments`);
    return objectsOf(listed).map((one) => ({
      id: numberOf(one, "id"),
      login: textOf(one.user, "login"),
      body: textOf(one, "body"),
      updated: textOf(one, "updated_at"),
    }));
  }

  /** `realmctl comment`, as somebody with this token would run it for a pull request. */
  comment(number: number, token: string, flags = "", repository = REPOSITORY): Promise<Command> {
    const env = {
      ...{ GITHUB_SERVER_URL: `${this.forge.url}/`, GITHUB_REPOSITORY: repository },
      ...{ GITHUB_REF: `refs/pull/${number}/head`, REALMCTL_TOKEN: token },
    };
    return this.world.realmctl(`comment realm.plan --to gitea${flags}`, { anonymous: true, env });
  }

  private async furnish(): Promise<void> {
    const { ada, forge } = this;
    // Octocat is somebody whom names mention.
    for (const login of ["ada", "bob", "ciro", "mallory", "octocat"]) await forge.addUser(login);
    await forge.must(ada, "POST", "/orgs", { username: "acme" });
    await this.repository("zulip");
    await this.commitStart();
    // Names say that they close it.
    await forge.must(ada, "POST", `/repos/${REPOSITORY}/issues`, { title: "A task" });
    await forge.must(ada, "POST", `/repos/${REPOSITORY}/branch_protections`, {
      rule_name: "main",
      required_approvals: 1,
      enable_push: false,
    });
    await forge.must(this.mallory, "POST", `/repos/${REPOSITORY}/forks`, {});
  }

  private async commitStart(): Promise<void> {
    const { world, forge, ada } = this;
    this.git("init", "--quiet", "--initial-branch", "main");
    const ran = await world.realmctl("init --yes --kinds channels --workflows=gitea --package example-realmctl@0");
    if (ran.code !== 0) throw new Error(ran.out + ran.err);
    const path = ".gitea/workflows/realmctl.yml";
    world.file(path, world.read(path).replace('cron: "23 3 * * *"', 'cron: "* * * * *"'));
    world.file(".gitignore", ".realmctl\nrealm.plan\n");
    const { ZULIP_EMAIL = "", ZULIP_API_KEY = "" } = world.credentials();
    for (const [name, data] of Object.entries({ ZULIP_EMAIL, ZULIP_API_KEY }))
      await forge.must(ada, "PUT", `/repos/${REPOSITORY}/actions/secrets/${name}`, { data });
    await this.push("main", "Start", { as: "ada" });
  }
}
