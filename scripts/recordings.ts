import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  type Account,
  adjustableClock,
  createSandbox,
  type Sandbox,
  type Served,
  serve,
} from "../src/sandbox/index.ts";
import { type Replayed, replayFile } from "../test/recordings/replay.mjs";

const RECORDINGS = new URL("../test/recordings/", import.meta.url);
const readJson = (file: string | URL) => JSON.parse(readFileSync(file, "utf8"));

/** `realm.json` is among the recordings but is not one. */
export const isRecording = (file: string): boolean => {
  const { steps }: { readonly steps?: unknown } = readJson(file) ?? {};
  return Array.isArray(steps) && steps.length > 0;
};

/** Replays recordings against sandboxes over HTTP, one sandbox per feature level; close it when done. */
export class Replayer {
  private readonly clock = adjustableClock();
  private readonly running = new Map<number, { readonly sandbox: Sandbox; readonly served: Served }>();

  /** Replays one file from the state of its level's realm.json. */
  async replay(file: string): Promise<Replayed> {
    const text = readFileSync(file, "utf8");
    const level: number = JSON.parse(text).feature_level;
    const { sandbox, served } = this.running.get(level) ?? (await this.start(level));
    sandbox.reset();
    // The sandbox answers as the recorded server did, wherever that server was.
    sandbox.setUrl(/https?:\/\/localhost(:\d+)?/.exec(text)?.[0] ?? served.url);
    const accounts = withBadCredentials(sandbox.accounts);
    const pass = (seconds: number): void => this.clock.advance(seconds * 1000);
    return replayFile(file, { base: served.url, accounts, pass }).catch((error: unknown) =>
      brokenOff(file, JSON.parse(text).steps, error),
    );
  }

  async close(): Promise<void> {
    for (const { served } of this.running.values()) await served.close();
    this.running.clear();
  }

  private async start(level: number) {
    const sandbox = createSandbox({ from: realmOf(level), clock: this.clock });
    const started = { sandbox, served: await serve(sandbox, { port: 0 }) };
    this.running.set(level, started);
    return started;
  }
}

/** A step that needs a value which an earlier answer should have had ends the replay of its file: all its steps count as failed. */
function brokenOff(file: string, steps: readonly object[], error: unknown): Replayed {
  const problems = [error instanceof Error ? error.message : String(error)];
  return {
    file: basename(file),
    steps: steps.length,
    failures: steps.map((_, step) => ({ step, what: "broken off", problems })),
  };
}

/** The realm from which recordings of this level start. */
function realmOf(level: number) {
  for (const name of ["realm.json", `level-${level}/realm.json`]) {
    const file = new URL(name, RECORDINGS);
    try {
      const realm = readJson(file);
      if (realm.register.zulip_feature_level === level) return realm;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new Error(`there is no realm.json of level ${level} in test/recordings`);
}

/** Recordings also use credentials that must not work. */
export function withBadCredentials(accounts: { readonly [name: string]: Account }) {
  const { owner } = accounts;
  if (owner === undefined) throw new Error("the realm has no account called owner");
  const { email, api_key } = owner;
  return {
    ...accounts,
    wrongkey: { email, api_key: [...api_key].reverse().join("") },
    malformedkey: { email, api_key: "short" },
    stranger: { email: "nobody@example.org", api_key },
  };
}
