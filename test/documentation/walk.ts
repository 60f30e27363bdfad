import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import type { EventName } from "../action/events.ts";
import { type Repository, SHA, type Step } from "../action/runner.ts";
import { type Block, shows, wordsOf } from "./blocks.ts";
import { Story } from "./story.ts";

const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  jobs: z.record(
    z.string(),
    z.object({
      environment: z.string().optional(),
      steps: z.array(
        z.object({
          uses: z.string(),
          if: z.string().optional(),
          with: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).default({}),
        }),
      ),
    }),
  ),
});
type Workflow = z.infer<typeof Workflow>;

/** What `gh api` of the page may ask for, and what GitHub's reference says of the body. */
const API: { readonly [request: string]: z.ZodType } = {
  "PUT environments/:name": z.strictObject({
    deployment_branch_policy: z.strictObject({ protected_branches: z.boolean(), custom_branch_policies: z.boolean() }),
  }),
  "POST environments/:name/deployment-branch-policies": z.strictObject({ name: z.string() }),
  "PUT branches/:name/protection": z.strictObject({
    required_status_checks: z.strictObject({ strict: z.boolean(), contexts: z.array(z.string()) }),
    required_pull_request_reviews: z.strictObject({ required_approving_review_count: z.int().min(0).max(6) }),
    enforce_admins: z.boolean(),
    restrictions: z.null(),
  }),
};

interface Ran {
  readonly workflow: string;
  readonly step: Step;
}

/**
 * Follows a page that leads from an empty directory to jobs on GitHub. Commands of realmctl and git run as they are; `gh` and the runner are stand-ins: they keep
 * environments, secrets and rules, and start the workflows that are in the repository, with the Action's own code, on a fake GitHub.
 */
export class Walk {
  private readonly story: Story;
  private readonly repository: Repository;
  /** Environment → secret → value. */
  private readonly secrets = new Map<string, Map<string, string>>();
  private readonly used = new Set<string>();
  private readonly branches = new Map<string, readonly string[]>();
  private required: readonly string[] = [];
  /** Jobs that ran since the last command, newest last. */
  private ran: Ran[] = [];
  private pull: string | undefined;

  constructor(repository: Repository) {
    this.repository = repository;
    this.story = new Story(repository.world, { anonymous: true });
  }

  end(): Promise<void> {
    return this.story.end();
  }

  /** Undefined: the block is correct. */
  async step(block: Block): Promise<string | undefined> {
    for (const { name, value } of block.directives) if (name === "zuliprc") this.zuliprc(...value.split(" "));
    const of = (name: string) => block.directives.find((one) => one.name === name)?.value;
    if (of("skip") !== undefined) return undefined;
    const shown = of("shows");
    if (shown !== undefined) return this.shown(shown, block.text);
    if (block.language === "json") {
      this.write(of("file") ?? "", block.text);
      return undefined;
    }
    const key = of("add");
    if (key !== undefined) {
      const text = this.repository.world.read("realm.yaml");
      this.write(
        "realm.yaml",
        text.replace(`\n${key}:\n`, () => `\n${key}:\n${block.text}`),
      );
      return undefined;
    }
    for (const { name, value } of block.directives)
      if (name === "edit") await this.story.tell({ ...block, language: "sh", text: "", directives: [{ name, value }] });
    return this.commands(block);
  }

  /** What no job has used: an environment, a secret, a required check that no job makes. */
  unused(): readonly string[] {
    const secrets = [...this.secrets].flatMap(([environment, names]) =>
      [...names.keys()].map((name) => `${environment} ${name}`),
    );
    const checks = this.repository.github.checks.map(({ name }) => name);
    return [...secrets.filter((one) => !this.used.has(one)), ...this.required.filter((one) => !checks.includes(one))];
  }

  private async commands(block: Block): Promise<string | undefined> {
    const parts =
      block.language === "console" ? block.text.split(/^\$ /m).slice(1) : block.text.split("\n").filter(Boolean);
    const exits = block.directives.find(({ name }) => name === "exit")?.value.split(" ") ?? [];
    for (const [at, part] of parts.entries()) {
      const [line = ""] = part.split("\n");
      const words = wordsOf(line);
      const [program = "", ...rest] = words;
      if (program === "realmctl") {
        const text = block.language === "console" ? `$ ${part}` : `${line}\n`;
        const directives = [{ name: "exit", value: exits[at] ?? "0" }];
        const failure = await this.story.tell({ ...block, text, directives });
        if (failure !== undefined) return failure;
      } else if (program === "gh") await this.gh(rest);
      else await this.shell(program, rest);
    }
    return undefined;
  }

  private async shell(program: string, words: readonly string[]): Promise<void> {
    const { world } = this.repository;
    if (program !== "git") {
      execFileSync(program, words, { cwd: world.directory });
      return;
    }
    const [verb] = words;
    if (verb === "push") await this.pushed();
    // The stand-in merged here.
    else if (verb !== "pull") this.git(...words);
    if (verb === "init") writeFileSync(join(world.directory, ".git/info/exclude"), "checkout/\nstep-*/\n");
  }

  private git(...words: readonly string[]): string {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@acme.example", "-c", "advice.detachedHead=false"];
    return execFileSync("git", [...who, ...words], {
      cwd: this.repository.world.directory,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }

  /** The files of the present commit, as GitHub has them. */
  private tree(): { [path: string]: string } {
    const { world } = this.repository;
    return Object.fromEntries(
      this.git("ls-files")
        .split("\n")
        .map((path) => [path, world.read(path)]),
    );
  }

  private async pushed(): Promise<void> {
    const { github } = this.repository;
    if (this.git("branch", "--show-current") !== "main") return;
    github.commits[SHA.base] = this.tree();
    github.commits[SHA.main] = this.tree();
    await this.start("push");
  }

  private async gh([noun = "", verb = "", ...rest]: readonly string[]): Promise<void> {
    const { github } = this.repository;
    const option = (name: string): string | undefined => {
      const at = [verb, ...rest].indexOf(name);
      return at < 0 ? undefined : [verb, ...rest][at + 1];
    };
    switch (`${noun} ${noun === "api" ? "" : verb}`.trim()) {
      case "repo create":
        return;
      case "api":
        this.api(option("--method") ?? "GET", rest);
        return;
      case "secret set": {
        const environment = option("--env") ?? "";
        const known = this.secrets.get(environment);
        if (known === undefined) throw new Error(`there is no environment ${environment}`);
        const account = known.get("ZULIP_EMAIL");
        const { sandbox } = this.repository.world;
        const key = Object.values(sandbox.accounts).find(({ email }) => email === account)?.api_key;
        known.set(rest[0] ?? "", option("--body") ?? key ?? "");
        return;
      }
      case "pr create": {
        this.pull = this.git("branch", "--show-current");
        const tree = this.tree();
        Object.assign(github.commits, { [SHA.head]: tree, [SHA.merge]: tree });
        github.parents[SHA.merge] = [SHA.base, SHA.head];
        github.merges[7] = SHA.merge;
        await this.start("pull_request_target");
        return;
      }
      case "pr merge": {
        const missing = this.required.filter(
          (name) =>
            !github.checks.some((check) => check.name === name && ["success", "neutral"].includes(check.conclusion)),
        );
        if (missing.length > 0)
          throw new Error(
            `GitHub does not merge: no passed check ${missing.join(", ")}; there are ${github.checks.map(({ name, conclusion }) => `${name}: ${conclusion}`).join(", ")}`,
          );
        this.git("switch", "main");
        this.git("merge", "--no-ff", "--no-edit", this.pull ?? "");
        github.commits[SHA.main] = this.tree();
        github.merged[SHA.main] = { number: 7, head: SHA.head };
        await this.start("push");
        this.git("switch", this.pull ?? "");
        return;
      }
      case "workflow run":
        this.ran = [];
        await this.run((rest[0] ?? "").replace(/\.yml$/, ""), "workflow_dispatch");
        return;
      default:
        throw new Error(`this gh has no ${noun} ${verb}`);
    }
  }

  private api(method: string, words: readonly string[]): void {
    const path = words.find((word) => word.startsWith("repos/{owner}/{repo}/"))?.slice("repos/{owner}/{repo}/".length);
    const [kind = "", name = "", what] = path?.split("/") ?? [];
    const request = `${method} ${kind}/:name${what === undefined ? "" : `/${what}`}`;
    const input = words.indexOf("--input");
    const fields = words.flatMap((word, at) => (words[at - 1] === "-f" ? [word.split("=")] : []));
    const body: unknown =
      input < 0
        ? Object.fromEntries(fields)
        : JSON.parse(readFileSync(join(this.repository.world.directory, words[input + 1] ?? ""), "utf8"));
    const schema = API[request];
    if (schema === undefined) throw new Error(`GitHub's reference has no ${request}`);
    const checked = schema.parse(body);
    if (kind === "environments" && what === undefined) this.secrets.set(name, new Map());
    else if (kind === "environments") this.branches.set(name, [String(Object(checked).name)]);
    else this.required = Object(Object(checked).required_status_checks).contexts;
  }

  /** Every workflow of the repository that the event starts. */
  private async start(event: EventName): Promise<void> {
    this.ran = [];
    for (const name of this.git("ls-files", ".github/workflows").split("\n")) {
      const workflow = name.replace(/^.*\/|\.yml$/g, "");
      if (Object.hasOwn(this.workflow(workflow).on, event)) await this.run(workflow, event);
    }
  }

  private workflow(name: string): Workflow {
    return Workflow.parse(parse(this.repository.world.read(`.github/workflows/${name}.yml`)));
  }

  /** One workflow, as a runner would: a fresh checkout, the secrets of its environment, the rights of its token, its artifacts. */
  private async run(name: string, event: EventName): Promise<void> {
    const { github, workspace, world } = this.repository;
    const { permissions, jobs } = this.workflow(name);
    for (const { environment, steps } of Object.values(jobs)) {
      rmSync(workspace, { recursive: true, force: true });
      mkdirSync(workspace);
      if (steps.some(({ uses }) => uses.startsWith("actions/checkout@")))
        for (const path of Object.keys(github.commits[SHA.main] ?? {})) {
          mkdirSync(dirname(join(workspace, path)), { recursive: true });
          writeFileSync(join(workspace, path), github.commits[SHA.main]?.[path] ?? "");
        }
      github.permissions = permissions;
      let done: Step | undefined;
      for (const { uses, with: inputs } of steps) {
        if (uses.includes("/realmctl@")) {
          const { command = "", ...given } = Object.fromEntries(
            Object.entries(inputs).map(([input, value]) => [input, this.resolve(String(value), environment)]),
          );
          done = await this.repository.run(command, { event, anonymous: true, inputs: given });
        } else if (uses.startsWith("actions/upload-artifact@") && done !== undefined) this.keep(done, inputs, event);
      }
      if (done !== undefined) this.ran.push({ workflow: name, step: done });
      github.permissions = undefined;
      // Journals of the job stay on its runner.
      if (existsSync(join(workspace, ".realmctl")))
        cpSync(join(workspace, ".realmctl"), join(world.directory, "step-journals"), { recursive: true });
    }
  }

  private resolve(value: string, environment: string | undefined): string {
    return value.replace(/\$\{\{ secrets\.(\w+) \}\}/g, (_, name: string) => {
      const known = this.secrets.get(environment ?? "")?.get(name);
      if (known === undefined || !this.branches.get(environment ?? "")?.includes("main"))
        throw new Error(`the environment ${environment} has no ${name} for main`);
      this.used.add(`${environment} ${name}`);
      return known;
    });
  }

  private keep(step: Step, inputs: { readonly [name: string]: unknown }, event: EventName): void {
    const name = /outputs\.([a-z-]+)/.exec(String(inputs.name))?.[1] ?? "";
    const from =
      event === "pull_request_target" ? { head_sha: SHA.head, head_branch: this.pull ?? "" } : { head_sha: SHA.main };
    const files = [...String(inputs.path).matchAll(/outputs\.([a-z-]+)/g)].flatMap(([, output = ""]) => {
      const file = step.outputs[output] ?? "";
      return existsSync(file) ? [[file.replace(/^.*\//, ""), readFileSync(file, "utf8")]] : [];
    });
    if (step.outputs[name] !== undefined && files.length > 0)
      this.repository.github.addArtifact(step.outputs[name], Object.fromEntries(files), from);
  }

  /** `log WORKFLOW`, `comment WORKFLOW`, `issue WORKFLOW`, `closed WORKFLOW` (its log, and no issue is open): what somebody sees of the last run of it. */
  private shown(what: string, expected: string): string | undefined {
    const [where = "", workflow = "", exit = "0"] = what.split(" ");
    const step = this.ran.find((one) => one.workflow === workflow)?.step;
    if (step === undefined) return `${workflow} did not run`;
    if (step.code !== Number(exit)) return `${workflow}: exit code ${step.code}, not ${exit}\n${step.log}`;
    const { comments, issues } = this.repository.github;
    const open = issues.filter(({ state }) => state === "open").length;
    if (where === "closed" && open > 0) return `${open} issues are still open`;
    const text = where === "comment" ? comments.at(-1)?.body : where === "issue" ? issues.at(-1)?.body : step.log;
    const found = this.steady(text ?? "");
    return shows(this.steady(expected).trimEnd(), found) ? undefined : `${what} shows something else:\n${found}`;
  }

  private steady(text: string): string {
    const { url } = this.repository.world;
    return text
      .replaceAll(url, "https://chat.example.org")
      .replaceAll(new URL(url).host, "chat.example.org")
      .replace(/sha256 [0-9a-f]{64}/g, "sha256 (digest)")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "(moment)")
      .replace(/[ \t]+$/gm, "");
  }

  private zuliprc(file = "", account = ""): void {
    const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = this.repository.world.credentials(account);
    this.write(file, `[api]\nsite=${ZULIP_SITE}\nemail=${ZULIP_EMAIL}\nkey=${ZULIP_API_KEY}\n`);
  }

  /** The page's address stands for the sandbox. */
  private write(file: string, text: string): void {
    const { directory, url } = this.repository.world;
    writeFileSync(join(directory, file), text.replaceAll("chat.example.org", new URL(url).host), { mode: 0o600 });
  }
}
