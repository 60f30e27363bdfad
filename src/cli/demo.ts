import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { defined } from "../model/defined.ts";
import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import {
  AS_THE_FILE,
  BENS_DESCRIPTION,
  credentialsCommand,
  demoEnded,
  exitCodeLine,
  SCENES,
  type SurpriseFact,
  serverLine,
  surpriseText,
} from "../report/commands/demo.ts";
import { nameAskedFor } from "../report/commands/run.ts";
import { paint, type Style } from "../report/style.ts";
import { SERVER_RATE_LIMITS } from "../sandbox/index.ts";
import { Context } from "./context.ts";
import { OUTPUT } from "./flags.ts";
import type { Io, ProcessIo } from "./io.ts";
import { commandOf, type FlagsOf, type RunOther } from "./options.ts";
import { filesIn } from "./process-io.ts";
import { demoRealmPath, fixturePath, type RunningSandbox, startSandbox, zuliprcText } from "./sandbox.ts";

export function demoCommand(io: Io, run: RunOther): Command {
  return commandOf("demo", OUTPUT)
    .description(
      "Plan, apply, drift and a conflict, on an organization in memory. Needs no server, and changes none of your files.",
    )
    .action(async (flags: FlagsOf<typeof OUTPUT>) => {
      const style = new Context(io, flags).style;
      const demo = await Demo.start(io, style, run);
      try {
        await demo.tell();
        io.setExitCode(EXIT.done);
      } catch (error) {
        if (!(error instanceof Surprise)) throw error;
        io.err.write(surpriseText(error.fact));
        io.setExitCode(EXIT.errors);
      } finally {
        await demo.end();
      }
    });
}

const CREDENTIALS = "ada.zuliprc";

/** A scene ended differently than expected: a bug in realmctl, the sandbox or the story. */
class Surprise extends Error {
  readonly fact: SurpriseFact;
  constructor(fact: SurpriseFact) {
    super(fact.kind);
    this.fact = fact;
  }
}

/** The story: each scene says what happens, shows the command, and runs the very same code that the command runs. */
class Demo {
  private readonly io: Io;
  private readonly style: Style;
  private readonly run: RunOther;
  private readonly realm: RunningSandbox;
  /** The directory of the story's files; deleted afterwards. */
  private readonly directory: string;
  private readonly started: number;
  private scene = 0;

  private constructor(io: Io, style: Style, run: RunOther, realm: RunningSandbox, directory: string) {
    this.io = io;
    this.style = style;
    this.run = run;
    this.realm = realm;
    this.directory = directory;
    this.started = io.now();
  }

  static async start(io: Io, style: Style, run: RunOther): Promise<Demo> {
    const directory = await mkdtemp(join(tmpdir(), "realmctl-demo-"));
    try {
      const realm = await startSandbox(io, { from: demoRealmPath(), port: 0, rateLimits: SERVER_RATE_LIMITS });
      return new Demo(io, style, run, realm, directory);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.realm.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** @throws Surprise if a command does not end as expected */
  async tell(): Promise<void> {
    const ada = this.account("owner");
    const file = join(this.directory, "realm.yaml");
    await writeFile(join(this.directory, CREDENTIALS), zuliprcText(this.realm.url, ada.email, ada.key), {
      mode: 0o600,
    });
    await copyFile(fixturePath("demo/realm.yaml"), file);

    this.say("organization");
    this.show("realmctl sandbox --from fixtures/acme-realm.json");
    this.io.out.write(serverLine(this.realm.url, this.realm.sandbox.featureLevel));
    this.show(credentialsCommand(CREDENTIALS));

    this.say("file");
    this.show("cat realm.yaml");
    this.io.out.write(await readFile(file, "utf8"));

    this.say("validate");
    await this.realmctl(["validate"], EXIT.done);

    this.say("plan");
    await this.realmctl(["plan"], EXIT.done);

    this.say("apply");
    await this.realmctl(["apply", "--yes"], EXIT.done);

    this.say("again");
    await this.realmctl(["plan"], EXIT.done);

    this.say("edits");
    await this.benEdits("announcements", { can_send_message_group: { new: this.group("role:everyone") } });
    await this.benEdits("incidents", { description: BENS_DESCRIPTION });

    this.say("drift");
    await this.realmctl(["drift"], EXIT.changesPending);

    this.say("conflict");
    await this.realmctl(["apply"], EXIT.conflict, async () => {
      await this.benEdits("announcements", { can_send_message_group: { new: this.group("role:fullmembers") } });
    });

    this.say("replan");
    await this.realmctl(["apply", "--yes"], EXIT.done);
    await this.realmctl(["plan"], EXIT.done);

    const ended = demoEnded(this.realm.sandbox.log.length, this.io.now() - this.started);
    this.io.out.write(`\n${paint(this.style, "good", AS_THE_FILE)}${ended}`);
  }

  private say(name: keyof typeof SCENES): void {
    const [title, text] = SCENES[name];
    this.scene += 1;
    this.io.out.write(`\n${paint(this.style, "bold", `${this.scene}. ${title}`)}\n${text}\n\n`);
  }

  private show(command: string): void {
    this.io.out.write(`${paint(this.style, "dim", "$")} ${paint(this.style, "bold", command)}\n`);
  }

  /**
   * Runs one command as the shell would, in the story's directory.
   * @param meanwhile happens while the command waits for an answer, which then is yes
   */
  private async realmctl(argv: readonly string[], expected: ExitCode, meanwhile?: () => Promise<void>): Promise<void> {
    const command = `realmctl ${argv.join(" ")}`;
    this.show(command);
    let code = 0;
    await this.run(
      storyIo(this.io, {
        argv: this.style.colour ? argv : [...argv, "--no-color"],
        cwd: this.directory,
        setExitCode: (given) => {
          code = given;
        },
        ...defined({ answer: meanwhile === undefined ? undefined : this.answering(meanwhile) }),
      }),
    );
    this.io.out.write(`${paint(this.style, "dim", exitCodeLine(code))}\n`);
    if (code !== expected) throw new Surprise({ kind: "exit-code", command, code, expected });
  }

  /** Ada's answer to the question that apply asks; what Ben does comes before it. */
  private answering(meanwhile: () => Promise<void>): (question: string) => Promise<string> {
    return async (question) => {
      this.io.out.write(`${question}\n`);
      await meanwhile();
      // A plan with a risk needs the organization's name instead of a yes.
      const answer = nameAskedFor(question) ?? "yes";
      this.io.out.write(`${paint(this.style, "dim", ">")} ${answer}\n`);
      return answer;
    };
  }

  private async benEdits(channel: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const id = this.channel(channel);
    const body = Object.entries(params).map(([name, value]) => {
      return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    });
    this.io.out.write(`${paint(this.style, "dim", "ben>")} PATCH /api/v1/streams/${id}  ${body.join("  ")}\n`);
    const answer = await requestAs(this.realm.url, this.account("admin"), `streams/${id}`, params);
    if (answer !== "success") throw new Surprise({ kind: "answer", channel, answer });
  }

  private account(name: string): DemoAccount {
    const account = this.realm.sandbox.accounts[name];
    if (account === undefined) throw new Surprise({ kind: "no-account", name });
    return { email: account.email, key: account.api_key };
  }

  private channel(name: string): number {
    const found = Object.values(this.realm.sandbox.state().channels).find((channel) => channel.name === name);
    if (found === undefined) throw new Surprise({ kind: "no-channel", name });
    return found.stream_id;
  }

  private group(name: string): number {
    const found = Object.values(this.realm.sandbox.state().user_groups).find((group) => group.name === name);
    if (found === undefined) throw new Surprise({ kind: "no-group", name });
    return found.id;
  }
}

interface StoryIo {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly setExitCode: (code: number) => void;
  readonly answer?: (question: string) => Promise<string>;
}

/** The real process in the story's directory, without the credentials of the user. */
function storyIo(io: Io, story: StoryIo): ProcessIo {
  const { answer } = story;
  const env = Object.fromEntries(
    Object.entries(io.env).filter(([name]) => !name.startsWith("ZULIP_") && name !== "HOME"),
  );
  return {
    ...io,
    argv: story.argv,
    cwd: story.cwd,
    env: { ...env, ZULIP_CONFIG: CREDENTIALS },
    // Errors belong to the story, in their place.
    err: io.out,
    out: io.out,
    inputIsTTY: answer !== undefined,
    ...filesIn(story.cwd),
    ask: answer ?? (() => Promise.resolve(undefined)),
    setExitCode: story.setExitCode,
  };
}

/** Somebody who does not use realmctl: one request over HTTP, as the settings page sends it. */
interface DemoAccount {
  readonly email: string;
  readonly key: string;
}

/** @returns "success", or the server's message */
async function requestAs(
  site: string,
  { email, key }: DemoAccount,
  path: string,
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    body.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const response = await fetch(`${site}/api/v1/${path}`, {
    method: "PATCH",
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` },
    body,
  });
  const text = await response.text();
  return response.ok ? "success" : `${response.status} ${text}`;
}
