import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lines } from "../../src/apply/journal-lines.ts";
import { isList, isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { type Ran, World } from "../e2e/world.ts";
import { jsonOf, withChecksum } from "../support/saved.ts";
import { type Dice, mutateJson, mutateText, NASTY } from "./mutate.ts";

/** The finding of a case: a bug, a disclosed key, or endless work. */
export class Finding extends Error {}

/** Every kind of object, so that every reader, every comparison and every request can be reached. */
const FILE = `version: 1
manage: {channel_folders: additive, playgrounds: exact}
settings:
  name: Acme Foundry
  description: Where metal is made
  message_content_edit_limit: 1h
  authentication_methods: {Email: true}
  new_stream_announcements_channel: announce
  permissions: {can_create_public_channel_group: role:moderators}
user_defaults: {color_scheme: dark, email_notifications_batching_period: 5m}
people:
  kofi@acme.example: {role: administrator}
  jana@acme.example: {deactivated: true}
  elif@acme.example: {role: moderator}
bots:
  deploy-bot: {full_name: Deployer, owner: ada@acme.example}
  alerts-bot: {type: incoming_webhook}
user_groups:
  readers: {description: Who reads, members: [ada@acme.example]}
channel_folders:
  Works: {description: Where things are made}
channels:
  announce: {description: News, folder: Works, permissions: {can_send_message_group: readers}}
  general: {description: All about Zulip, permissions: {can_send_message_group: role:moderators}}
  wages: {privacy: private_shared_history, subscribers: {users: [ada@acme.example]}}
  sandbox: {archived: true}
linkifiers:
  - {pattern: 'W-(?P<id>[0-9]+)', url_template: 'https://w.example.org/{id}'}
default_channels: [general]
domains: {acme.example: {allow_subdomains: false}}
profile_fields:
  - {name: Pronouns, type: pronouns, in_profile_summary: true}
  - {name: Site, type: select, options: [Leeds, Porto]}
  - {name: GitHub username, type: external_account, service: github}
emoji:
  forge: {image: forge.gif}
playgrounds:
  - {language: Rust, name: Rust playground, url_template: 'https://play.example.org/?code={code}'}
invites:
  - {emails: [grace@acme.example], expires_in: never, send_until: 2099-01-01, channels: [announce]}
invite_links:
  - {expires_on: never, invite_as: guest, channels: [announce]}
`;

const RULES = `version: 1
tests:
  - name: Guests see nothing
    who: {role: guest, groups: [readers]}
    cannot: {read: '*'}
    except: general
  - name: Only readers announce
    objects: [announce, '#gen*']
    privacy: public
    rights:
      post: {only: readers, at_least: 1, at_most: 5}
      can_administer_channel_group: {only: [role:administrators, ada@acme.example], deny: guest, allow: role:owners}
    fields:
      description: {is: ['N*', All about Zulip]}
      can_send_message_group: {has: group, not: role:nobody}
    bots: true
  - name: Groups
    objects: user_group:readers
    rights: {manage: {only: role:owners}}
  - name: The organization
    objects: organization
    rights: {invite: {only: role:members}}
`;

/** Questions for `access`, besides objects that are damaged at random. */
const QUESTIONS = ["organization", "#wages", "user_group:readers", "ada@acme.example", "deploy-bot@localhost"] as const;

const PICTURE = readFileSync(new URL("../../fixtures/pictures/forge.gif", import.meta.url));

/** Processor time, which other programs on the machine do not use up: only endless work reaches it. */
const DEADLINE_MS = 60_000;
const UNSAFE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

/** Where cases run: one organization and one directory, created again for each case. */
export class Ground {
  readonly world: World;
  /** Answers pass through it if a case asks for that. */
  private readonly hostile: { answer: ((text: string) => string) | undefined };
  private plan = "";
  /** The state before, and the state that the file produces: it has something of every kind. */
  private snapshots: readonly [string, string] = ["", ""];

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
    this.picture(PICTURE);
    await world.realmctl("plan --out realm.plan");
    await world.realmctl("snapshot --out realm.json");
    this.plan = world.read("realm.plan");
    const before = world.read("realm.json");
    await world.realmctl("apply --yes");
    await world.realmctl("snapshot --out realm.json");
    this.snapshots = [before, world.read("realm.json")];
  }

  /** One case: a target and everything that it draws. @throws Finding */
  async run(target: keyof typeof TARGETS, dice: Dice): Promise<void> {
    this.world.restart();
    this.hostile.answer = undefined;
    this.world.file("realm.yaml", FILE);
    this.picture(PICTURE);
    await TARGETS[target](this, dice);
  }

  /** @throws Finding */
  async realmctl(line: string): Promise<Ran> {
    const before = process.cpuUsage();
    const ran = await this.world.realmctl(line);
    const text = `${ran.out}${ran.err}`;
    if (ran.code === 70) throw new Finding(`${line}: exit 70: ${ran.err.slice(-600)}`);
    const tookMs = process.cpuUsage(before).user / 1000;
    if (tookMs > DEADLINE_MS) throw new Finding(`${line}: ${Math.round(tookMs / 1000)} s`);
    // Lines of CSV end with both characters (RFC 4180).
    const unsafe = UNSAFE.exec(line.includes("--format csv") ? text.replaceAll("\r\n", "\n") : text);
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

  picture(bytes: Uint8Array): void {
    writeFileSync(join(this.world.directory, "forge.gif"), bytes);
  }
  savedPlan(): string {
    return this.plan;
  }
  savedSnapshot(dice: Dice): string {
    return dice.one(this.snapshots);
  }
  answerWith(answer: (text: string) => string): void {
    this.hostile.answer = answer;
  }
}

const FORMATS = ["text", "json", "html", "markdown"] as const;

/** Kinds of input that somebody other than the user may have written. */
export const TARGETS = {
  async files(ground: Ground, dice: Dice): Promise<void> {
    ground.world.file("realm.yaml", mutateText(FILE, dice));
    ground.world.file("realm.json", ground.savedSnapshot(dice));
    await ground.realmctl("validate realm.yaml");
    await ground.realmctl(`plan --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
    await ground.realmctl("fmt --check realm.yaml");
  },
  async rules(ground: Ground, dice: Dice): Promise<void> {
    const isFile = dice.below(4) === 0;
    ground.world.file("realm.test.yaml", isFile ? RULES : mutateText(RULES, dice));
    if (isFile) ground.world.file("realm.yaml", mutateText(FILE, dice));
    const snapshot = ground.savedSnapshot(dice);
    const isDamaged = dice.below(3) === 0;
    ground.world.file("realm.json", isDamaged ? JSON.stringify(mutateJson(jsonOf(snapshot), dice)) : snapshot);
    const on = dice.one(["", "--snapshot realm.json", "--snapshot realm.json --as-is"]);
    await ground.realmctl(`test ${on} --all --format ${dice.one(["text", "json", "junit", "sarif", "github"])}`);
    if (dice.below(4) === 0) await ground.realmctl(`test ${on} --suggest`);
  },
  async access(ground: Ground, dice: Dice): Promise<void> {
    const snapshot = JSON.stringify(mutateJson(jsonOf(ground.savedSnapshot(dice)), dice));
    ground.world.file("realm.json", snapshot);
    const draw = dice.below(3);
    if (draw === 0) ground.world.file("realm.yaml", mutateText(FILE, dice));
    const from = dice.one(["--snapshot realm.json", "--file realm.yaml", "--file realm.yaml --snapshot realm.json"]);
    const asked = dice.one(QUESTIONS);
    // The command line of these tests would split a text at a blank.
    const question = draw === 1 ? mutateText(asked, dice).replaceAll(" ", "") : asked;
    const format = dice.one(["text", "json", "csv", "html"]);
    await ground.realmctl(`access ${from} --format ${format} ${question}`);
    await ground.realmctl(`access --plan --snapshot realm.json --format ${format}`);
  },
  async pictures(ground: Ground, dice: Dice): Promise<void> {
    const bytes = Buffer.from(PICTURE);
    for (let times = 1 + dice.below(4); times > 0; times -= 1) bytes[dice.below(bytes.length)] = dice.below(256);
    ground.picture(bytes.subarray(0, dice.below(2) === 0 ? bytes.length : dice.below(bytes.length)));
    await ground.realmctl("validate realm.yaml");
    await ground.realmctl("apply --yes realm.yaml");
  },
  async snapshots(ground: Ground, dice: Dice): Promise<void> {
    ground.world.file("realm.json", JSON.stringify(mutateJson(jsonOf(ground.savedSnapshot(dice)), dice)));
    await ground.realmctl(`plan --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
    await ground.realmctl(`drift --snapshot realm.json --format ${dice.one(["text", "json", "html"])} realm.yaml`);
    if (dice.below(4) === 0) await ground.realmctl("export --snapshot realm.json --out exported.yaml");
  },
  async plans(ground: Ground, dice: Dice): Promise<void> {
    const edited = dice.below(4) === 0 ? mutateText(ground.savedPlan(), dice) : forged(ground.savedPlan(), dice);
    ground.world.file("realm.plan", edited);
    await ground.realmctl(`show --format ${dice.one(FORMATS)} realm.plan`);
    await ground.realmctl("apply --yes --plan realm.plan");
  },
  async journals(ground: Ground, dice: Dice): Promise<void> {
    // Undo checks values only where the organization still has what the run created.
    await ground.realmctl("apply --yes realm.yaml");
    const [file = ""] = ground.world.journals();
    const name = `.realmctl/${file}`;
    const lines = ground.world.read(name).trimEnd().split("\n");
    const kept = lines.slice(0, 1 + dice.below(lines.length));
    const chosen = dice.below(3) > 0 ? 0 : dice.below(kept.length);
    ground.world.file(name, kept.map((line, index) => `${index === chosen ? damaged(line, dice) : line}\n`).join(""));
    await ground.realmctl(`apply --yes --foreign-journal --undo ${name}`);
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
    const snapshot = jsonOf(ground.savedSnapshot(dice));
    const nasty = `${dice.one(NASTY)}x${dice.one(NASTY)}`.slice(0, 50);
    const rename = (value: Json): Json =>
      isObject(value) && dice.below(3) === 0
        ? Object.fromEntries(
            Object.entries(value).map(([field, text]) => [
              field,
              /name$|description|hint|language/.test(field) && typeof text === "string" ? `${text}${nasty}` : text,
            ]),
          )
        : value;
    const listed = (value: Json | undefined): Json => (Array.isArray(value) ? value.map(rename) : (value ?? null));
    const realm = isObject(snapshot.realm) ? { ...snapshot.realm, name: nasty } : {};
    const edited = {
      ...snapshot,
      realm,
      ...Object.fromEntries(
        Object.entries(snapshot).flatMap(([section, value]) => (isList(value) ? [[section, listed(value)]] : [])),
      ),
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
    const exported = await ground.realmctl("export --snapshot realm.json --out exported.yaml");
    if (exported.code !== 0) return;
    const again = await ground.realmctl("plan --snapshot realm.json --format json exported.yaml");
    if (again.code !== 0) throw new Finding(`what export wrote is refused: ${again.err.slice(0, 600)}`);
  },
} as const;

/** The plan of a start with another value in one of its changes; its form is still right. */
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

/** Edited anywhere, with the checksum corrected. */
function forged(text: string, dice: Dice): string {
  const edited = mutateJson(jsonOf(text), dice);
  return withChecksum(isObject(edited) ? edited : {});
}

/** Damaged in one byte; or anywhere in a value, with the checksum corrected if it is still an entry; or as before there were checksums. */
function damaged(line: string, dice: Dice): string {
  const draw = dice.below(4);
  if (draw === 0) return mutateText(line, dice);
  const { sum: _, code: __, ...entry } = jsonOf(line);
  const edited = draw < 3 ? mutateJson(entry, dice) : otherValues(entry, dice);
  if (draw === 1 && isObject(edited)) {
    const { format: _format, version: _version, ...old } = edited;
    return JSON.stringify(old);
  }
  return new Lines().lineOf(JSON.stringify(edited)).trimEnd();
}
