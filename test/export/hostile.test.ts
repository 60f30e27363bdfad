import { expect, test } from "vitest";
import { readConfig } from "../../src/config/read-config.ts";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Policy } from "../../src/model/objects.ts";
import { formatYaml } from "../../src/source/format.ts";
import { adopted } from "../adopt/files.ts";
import { RUNS } from "../properties/arbitrary.ts";
import fc from "../support/random.ts";
import { type Overlay, realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

/** Texts that YAML, a terminal, a file system or the reader of variables could take for something else. */
const HOSTILE = [
  "null",
  "~",
  "true",
  "No",
  "on",
  "1e3",
  "0x1f",
  "0o17",
  "007",
  "1_000",
  ".inf",
  ".nan",
  "2026-11-28",
  "12:30",
  "<<",
  "=",
  "-",
  "---",
  "...",
  "- a",
  "? a",
  ": a",
  "a: b",
  "a:",
  ":a",
  "a #b",
  "#a",
  "&a",
  "*a",
  "!a",
  "!!str",
  "|",
  ">",
  "|-",
  "%a",
  "@a",
  "`a`",
  "'",
  '"',
  "''",
  "a'b\"c",
  "\\n",
  "a\\",
  "[a]",
  "{a}",
  "a, b",
  "[",
  "}",
  "${a}",
  "$${a}",
  "$",
  "${",
  "a\tb",
  "  ",
  " a",
  "a ",
  "con",
  "NUL",
  "aux.txt",
  "..",
  "../a",
  "a/b",
  "__proto__",
  "constructor",
  "absent",
  "version",
  "include",
  "me",
  "role:owners",
  "user:6",
  "ada@acme.example",
  "*",
  "a*",
  "👩‍💻",
  "🏳️‍🌈",
  "می‌خواهم",
  "हिन्दी",
  "مرحبا",
  "\u202egnp",
  "a\u200bb",
  "\ufeffa",
  "a\u00a0b",
  "\u00ada",
  "\u2028a",
  "e\u0301",
  "é",
  "İ",
  "ß",
  "ſ",
  "\ue000",
  "\u{e0041}",
  "\u{1d173}",
  "x".repeat(60),
  "يمين a left",
  "<script>",
  "\u0085a",
  "a\rb",
  "a\nb",
  "\u001b[31m",
  "\u0000",
] as const;
const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<string>(...HOSTILE) },
  fc
    .tuple(
      fc.constantFrom<string>(...HOSTILE),
      fc.constantFrom("", " ", ": ", " #", "\n", "-"),
      fc.constantFrom<string>(...HOSTILE),
    )
    .map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
);
/** Names are trimmed by the server, which refuses empty ones and control characters, and compares them without capital letters. */
const names = (most: number) =>
  fc.uniqueArray(
    hostile
      .map((text) =>
        text
          .replaceAll(/\p{C}/gu, (found) => (/\p{Cf}/u.test(found) ? found : ""))
          .trim()
          .slice(0, 60),
      )
      .filter((text) => text !== ""),
    { maxLength: most, selector: (text) => text.normalize("NFKC").toLowerCase() },
  );
const texts = fc
  .oneof(
    hostile,
    fc.array(hostile, { maxLength: 40 }).map((many) => many.join(" ")),
  )
  .map((text) =>
    text
      .slice(0, 1000)
      .replaceAll(/\p{Cs}/gu, "")
      .replaceAll("\0", "")
      .trim(),
  );
const PEOPLE = ["ada@acme.example", "ben@acme.example", "farah@acme.example", "chiara@acme.example"];

const realms: fc.Arbitrary<Overlay> = fc
  .record({
    channels: names(6),
    // A group may not begin with these (zulip-api.md §10.2).
    groups: names(4).map((all) => all.filter((name) => !/^(?:@|role:|user:|stream:|channel:)/.test(name))),
    folders: names(4),
    fields: names(4).map((all) =>
      all.map((name) => name.slice(0, 40).trim()).filter((name, at, list) => name !== "" && list.indexOf(name) === at),
    ),
    options: names(3),
    playgrounds: names(2),
    texts: fc.array(texts, { minLength: 8, maxLength: 8 }),
    shape: fc.array(fc.nat({ max: 3 }), { minLength: 8, maxLength: 8 }),
  })
  .map(({ channels, groups, folders, fields, options, playgrounds, texts: words, shape }): Overlay => {
    const text = (at: number): string => words[at % words.length] ?? "";
    const pick = (at: number): number => shape[at % shape.length] ?? 0;
    const folder = (at: number) =>
      folders.length === 0 || pick(at) === 0 ? {} : { folder_id: 1 + (pick(at) % folders.length) };
    return {
      user_groups: groups.map((name, at) => ({
        name,
        description: text(at),
        members: PEOPLE.slice(0, pick(at)),
        ...(at > 0 && pick(at) === 3 ? { subgroups: groups.slice(0, 1) } : {}),
        ...(at > 1 && pick(at + 1) === 3 ? { deactivated: true } : {}),
      })),
      channel_folders: folders.map((name, at) => ({ id: 1 + at, name, description: text(at + 1), order: at })),
      channels: channels.map((name, at) => ({
        name,
        description: text(at + 2).replaceAll("\n", " "),
        ...folder(at),
        ...(pick(at) === 1 ? { invite_only: true, history_public_to_subscribers: true } : {}),
        ...(pick(at + 2) === 2 && groups.length > 0 ? { can_send_message_group: 30 } : {}),
        ...(pick(at + 3) === 3 ? { is_archived: true } : {}),
      })),
      profile_fields: fields.map((name, at) => ({
        name,
        hint: text(at)
          .replaceAll(/[\n\r]/g, " ")
          .slice(0, 80)
          .trim(),
        ...(at % 2 === 0 || options.length === 0
          ? { type: "short_text" }
          : {
              type: "select",
              field_data: Object.fromEntries(
                options.map((option, key) => [String(key), { text: option, order: String(key + 1) }]),
              ),
            }),
      })),
      playgrounds: playgrounds.map((name) => ({
        name,
        language: "Python",
        url_template: "https://play.example.org/?code={code}",
      })),
      settings: { description: text(5), name: text(6).slice(0, 40) },
      linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" }],
    };
  });

const MODES = [
  {},
  { complete: true },
  { unset: true },
  { split: "kind" },
  { split: "folder", inactive: true },
  { inactive: true, subscribers: true },
  { explain: true, complete: true, split: "folder" },
] as const;

test(
  "whatever people call things: what export writes passes validate and fmt, and leaves nothing to plan or to adopt",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        realms,
        fc.constantFrom(...MODES),
        fc.constantFrom<Policy>("additive", "exact"),
        async (overlay, mode, policy) => {
          const realm = realmOf(overlay);
          const readers = realm.channels.map(({ stream_id }) => [String(stream_id), [6, 7, 8].slice(0, stream_id % 4)]);
          const snapshot = { ...realm, subscribers: Object.fromEntries(readers) };
          const policies = Object.fromEntries(kinds.map(({ section }) => [section, policy]));
          const { files } = await exportRealm({ snapshot, kinds, policies, ...mode });
          for (const [path, text] of files) {
            expect(formatYaml(text)).toBe(text);
            expect(text).not.toMatch(/[\u202e\u200b\ufeff\u2028]|(?!\n)\p{Cc}/u);
            expect(path).toMatch(/^(?:[^/\\:*?"<>|]+\/)*[^/\\:*?"<>|]+\.yaml$/);
          }
          const read = await readConfig({
            file: "realm.yaml",
            readFile: async (path) => files.get(path) ?? "",
            kinds,
          });
          expect(read.ok ? [] : read.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          expect(must(await planFiles(files, "realm.yaml", { snapshot, kinds }))).toMatchObject({
            changes: [],
            calls: [],
          });
          const found = await adopted(files, snapshot);
          expect({ files: found.files, left: found.left }).toEqual({ files, left: 0 });
        },
      ),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  },
  60_000 + RUNS * 300,
);
