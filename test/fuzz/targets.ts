import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sumLine } from "../../src/apply/journal-lines.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { type Ran, World } from "../e2e/world.ts";
import { jsonOf, withChecksum } from "../support/saved.ts";
import { type Dice, mutateJson, mutateText, NASTY } from "./mutate.ts";

/** What a case found: a bug, something that was told, or work without end. */
export class Finding extends Error {}

const FILE = `version: 1
manage: {channel_folders: additive}
user_groups:
  readers: {description: Who reads, members: [ada@acme.example]}
channel_folders:
  Works: {description: Where things are made}
channels:
  announce: {description: News, folder: Works, permissions: {can_send_message_group: readers}}
  general: {description: All about Zulip, permissions: {can_send_message_group: role:moderators}}
  sandbox: {archived: true}
linkifiers:
  - {pattern: 'W-(?P<id>[0-9]+)', url_template: 'https://w.example.org/{id}'}
default_channels: [general]
`;

/** Longer than anything here takes on the slowest machine: only work without end gets there. */
const DEADLINE_MS = 60_000;
const UNSAFE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

/** Where cases run: one organization and one directory, made anew for each case. */
export class Ground {
  readonly world: World;
  /** Answers pass through it where a case asks for that. */
  private readonly hostile: { answer: ((text: string) => string) | undefined };
  private plan = "";
  private snapshot = "";

  private constructor(world: World, hostile: { answer: ((text: string) => string) | undefined }) {
    this.world = world;
    this.hostile = hostile;
  }

  static async open(): Promise<Ground> {
    const hostile: { answer: ((text: string) => string) | undefined } = { answer: undefined };
    const interceptor: Interceptor = {
      after: async (_, response) => {
        if (hostile.answer === undefined) return undefined;
        const text = await response.clone().text();
        return new Response(hostile.answer(text), { status: response.status, headers: response.headers });
      },
    };
    const ground = new Ground(await World.start({ interceptors: [interceptor] }), hostile);
    await ground.prepare();
    return ground;
  }

  end(): Promise<void> {
    return this.world.end();
  }

  private async prepare(): Promise<void> {
    const { world } = this;
    world.file("realm.yaml", FILE);
    await world.realmctl("plan --out realm.plan");
    await world.realmctl("snapshot --out realm.json");
    this.plan = world.read("realm.plan");
    this.snapshot = world.read("realm.json");
  }

  /** One case: a target and all that it draws. @throws Finding */
  async run(target: keyof typeof TARGETS, dice: Dice): Promise<void> {
    this.world.restart();
    this.hostile.answer = undefined;
    this.world.file("realm.yaml", FILE);
    await TARGETS[target](this, dice);
  }

  /** @throws Finding */
  async realmctl(line: string): Promise<Ran> {
    const startedAt = performance.now();
    const ran = await this.world.realmctl(line);
    const text = `${ran.out}${ran.err}`;
    if (ran.code === 70) throw new Finding(`${line}: exit 70: ${ran.err.slice(-600)}`);
    const tookMs = performance.now() - startedAt;
    if (tookMs > DEADLINE_MS) throw new Finding(`${line}: ${Math.round(tookMs / 1000)} s`);
    const unsafe = UNSAFE.exec(text);
    if (unsafe !== null)
      throw new Finding(
        `${line}: a control character: ${JSON.stringify(text.slice(Math.max(0, unsafe.index - 60), unsafe.index + 60))}`,
      );
    const { ZULIP_API_KEY: key = "" } = this.world.credentials();
    if (key !== "" && (text.includes(key) || this.journalText().includes(key)))
      throw new Finding(`${line}: told the key`);
    return ran;
  }

  private journalText(): string {
    const folder = join(this.world.directory, ".realmctl");
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => readFileSync(join(folder, name), "utf8"))
        .join("");
    } catch {
      return "";
    }
  }

  savedPlan(): string {
    return this.plan;
  }
  savedSnapshot(): string {
    return this.snapshot;
  }
  answerWith(answer: (text: string) => string): void {
    this.hostile.answer = answer;
  }
}

const FORMATS = ["text", "json", "html", "markdown"] as const;

/** Kinds of input that others than the person at the keyboard may have made. */
export const TARGETS = {
  async files(ground: Ground, dice: Dice): Promise<void> {
    ground.world.file("realm.yaml", mutateText(FILE, dice));
    ground.world.file("realm.json", ground.savedSnapshot());
    await ground.realmctl("validate realm.yaml");
    await ground.realmctl(`plan --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
    await ground.realmctl("fmt --check realm.yaml");
  },
  async snapshots(ground: Ground, dice: Dice): Promise<void> {
    ground.world.file("realm.json", JSON.stringify(mutateJson(jsonOf(ground.savedSnapshot()), dice)));
    await ground.realmctl(`plan --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
  },
  async plans(ground: Ground, dice: Dice): Promise<void> {
    const edited = dice.below(4) === 0 ? mutateText(ground.savedPlan(), dice) : forged(ground.savedPlan(), dice);
    ground.world.file("realm.plan", edited);
    await ground.realmctl(`show --format ${dice.one(FORMATS)} realm.plan`);
    await ground.realmctl("apply --yes --plan realm.plan");
  },
  async journals(ground: Ground, dice: Dice): Promise<void> {
    // Undoing looks at values only where the organization still has what the run made.
    await ground.realmctl("apply --yes realm.yaml");
    const [file = ""] = ground.world.journals();
    const name = `.realmctl/${file}`;
    const lines = ground.world.read(name).trimEnd().split("\n");
    const kept = lines.slice(0, 1 + dice.below(lines.length));
    const chosen = dice.below(3) > 0 ? 0 : dice.below(kept.length);
    ground.world.file(name, kept.map((line, index) => `${index === chosen ? damaged(line, dice) : line}\n`).join(""));
    await ground.realmctl(`apply --yes --undo ${name}`);
    await ground.realmctl("apply --yes realm.yaml");
  },
  async answers(ground: Ground, dice: Dice): Promise<void> {
    const { ZULIP_API_KEY: key = "" } = ground.world.credentials();
    let left = 1 + dice.below(12);
    ground.answerWith((text) => {
      left -= 1;
      if (left !== 0) return text;
      const draw = dice.below(6);
      if (draw === 0) return mutateText(text, dice);
      if (draw === 1)
        return JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: `Authorization: ${key}${dice.one(NASTY)}` });
      try {
        return JSON.stringify(mutateJson(JSON.parse(text), dice));
      } catch {
        return text;
      }
    });
    await ground.realmctl("apply --yes realm.yaml");
  },
  async names(ground: Ground, dice: Dice): Promise<void> {
    const snapshot = jsonOf(ground.savedSnapshot());
    const nasty = `${dice.one(NASTY)}x${dice.one(NASTY)}`.slice(0, 50);
    const rename = (value: Json): Json =>
      isObject(value) && typeof value.name === "string" && dice.below(3) === 0
        ? { ...value, name: `${value.name}${nasty}`, description: nasty }
        : value;
    const listed = (value: Json | undefined): Json => (Array.isArray(value) ? value.map(rename) : (value ?? null));
    const realm = isObject(snapshot.realm) ? { ...snapshot.realm, name: nasty } : {};
    const edited = {
      ...snapshot,
      realm,
      channels: listed(snapshot.channels),
      user_groups: listed(snapshot.user_groups),
    };
    ground.world.file("realm.json", JSON.stringify(edited));
    const named = FILE.replace("announce:", `${JSON.stringify(nasty)}:`).replace(
      "All about Zulip",
      JSON.stringify(nasty),
    );
    ground.world.file("realm.yaml", dice.below(2) === 0 ? named : FILE);
    await ground.realmctl(`plan --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
    await ground.realmctl("plan --snapshot realm.json --out realm.plan realm.yaml");
    await ground.realmctl(`show --format ${dice.one(FORMATS)} realm.plan`);
  },
} as const;

/** The plan of a start with another value in one of its changes: its form is still right. */
function otherValues(entry: JsonObject, dice: Dice): Json {
  const { plan } = entry;
  if (!isObject(plan) || !isList(plan.changes)) return mutateJson(entry, dice);
  const chosen = dice.below(plan.changes.length);
  const side = dice.one(["before", "after"]);
  const changes = plan.changes.map((change, index) => {
    if (index !== chosen || !isObject(change) || !isList(change.fields)) return change;
    const which = dice.below(change.fields.length);
    const fields = change.fields.map((field, at) =>
      at === which && isObject(field) ? { ...field, [side]: mutateJson(field[side] ?? null, dice) } : field,
    );
    return { ...change, fields };
  });
  return { ...entry, plan: { ...plan, changes } };
}

/** Edited anywhere, with a checksum that is right again. */
function forged(text: string, dice: Dice): string {
  const edited = mutateJson(jsonOf(text), dice);
  return withChecksum(isObject(edited) ? edited : {});
}

/** Damaged in a byte; or anywhere in a value, with a sum that is right again where it still is an entry; or as before there were sums. */
function damaged(line: string, dice: Dice): string {
  const draw = dice.below(4);
  if (draw === 0) return mutateText(line, dice);
  const { sum: _, ...entry } = jsonOf(line);
  const edited = draw < 3 ? mutateJson(entry, dice) : otherValues(entry, dice);
  if (draw === 1 && isObject(edited)) {
    const { format: _format, version: _version, ...old } = edited;
    return JSON.stringify(old);
  }
  return sumLine(JSON.stringify(edited)).trimEnd();
}
