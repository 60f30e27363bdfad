import { describe, expect, test } from "vitest";
import { error, scripted, success, TEST_KEY } from "../../test/support/zulip/scripted.ts";
import { Failure } from "../model/diagnostic.ts";
import type { WireCall } from "../model/journal.ts";
import { echoFilter } from "./echo.ts";
import { bodyOrFail } from "./failures.ts";
import { answerOf, boundsCause, MOST_DEPTH, MOST_VALUES, parseBounded } from "./reply.ts";
import type { HttpResponse } from "./transport.ts";

const READ: WireCall = { operation: "get-streams", path: {}, params: {} };
const WRITE: WireCall = { operation: "update-stream", path: { stream_id: 3 }, params: { description: "x" } };
const EMAIL = "kim@example.org";

const nested = (levels: number, around = ""): string =>
  `${'{"a":['.repeat(levels / 2)}${around}${"]}".repeat(levels / 2)}`;
const answer = (status: number, more: string): HttpResponse => ({
  status,
  headers: {},
  body: `{"result":"${status < 400 ? "success" : "error"}","msg":"","code":"BAD_REQUEST","more":${more}}`,
});

describe("deeply nested answers", () => {
  test.each([
    { name: "a write that is done", status: 200 },
    { name: "a write that is refused", status: 400 },
    { name: "a write that failed", status: 500 },
  ])("$name: its result is unknown, and realmctl does not crash", async ({ status }) => {
    const { connection } = scripted([answer(status, "[".repeat(200_000) + "]".repeat(200_000))]);
    expect(answerOf(await connection.exchange(WRITE))).toMatchObject({ outcome: "unknown" });
  });

  test("a reading of the realm says what is wrong with the answer", async () => {
    const deep = answer(200, nested(200_000, "1"));
    const { connection } = scripted([deep, deep, deep, deep]);
    const reply = await connection.exchange(READ);
    expect(() => bodyOrFail(reply, connection)).toThrow(Failure);
    expect(() => bodyOrFail(reply, connection)).toThrow(`it nests deeper than ${MOST_DEPTH} levels`);
  });

  test("an answer of the allowed depth is read, wherever its brackets are", () => {
    expect(parseBounded(nested(MOST_DEPTH, '"x"'))).toHaveProperty("value");
    expect(parseBounded(nested(MOST_DEPTH, "[]"))).toMatchObject({ cause: "too-deep" });
    expect(parseBounded(JSON.stringify({ text: '[{"'.repeat(1_000), more: "\\".repeat(999) }))).toHaveProperty("value");
    expect(parseBounded(`"${'\\"['.repeat(500)}"`)).toHaveProperty("value");
    expect(parseBounded('{"unfinished": "[[[')).toEqual({ cause: "no-json" });
    expect(parseBounded("")).toEqual({ cause: "no-json" });
  });

  test("an answer with many parts is read, as long as it fits into memory", () => {
    expect(boundsCause(`[${"1,".repeat(1_000)}1]`)).toBeUndefined();
    expect(boundsCause(`[${"[],".repeat(MOST_VALUES / 2)}1]`)).toMatchObject({ cause: "too-many" });
  });
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const percent = (text: string): string => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const PAIR = `${EMAIL}:${TEST_KEY}`;

/** The key in every form in which a server may send it back. */
const FORMS: { readonly [name: string]: string } = {
  "as it is": TEST_KEY,
  "in other letters": TEST_KEY.toUpperCase(),
  "as Authorization has it": `Basic ${base64(PAIR)}`,
  "as Authorization has it, without padding": base64(PAIR).replace(/=+$/, ""),
  "in base64 alone": base64(TEST_KEY),
  "in base64, one off": base64(`x${TEST_KEY}`),
  "in base64, two off": base64(`xy${TEST_KEY}z`),
  "in base64 for addresses": Buffer.from(`?>${PAIR}`).toString("base64url"),
  "in base64 in lines": base64(`long before ${PAIR}`).replace(/(.{20})/g, "$1\r\n "),
  "in a curl command": `curl -u ${PAIR} https://chat.example.org`,
  "in an address": `https://${encodeURIComponent(EMAIL)}:${TEST_KEY}@chat.example.org/`,
  "percent-encoded": percent(TEST_KEY),
  "percent-encoded twice": encodeURIComponent(percent(TEST_KEY)),
  "base64 percent-encoded": encodeURIComponent(base64(PAIR)),
  "base64 percent-encoded all over": percent(base64(PAIR)),
  "in hexadecimal": hex(TEST_KEY),
  "the pair in hexadecimal": hex(PAIR).toUpperCase(),
  "with blanks in between": TEST_KEY.split("").join(" "),
};

describe("answers that repeat the credentials", () => {
  /** Every form from which somebody could read the key. */
  function expectNoKey(shown: string): void {
    for (const form of Object.values(FORMS)) {
      expect(shown).not.toContain(form);
      expect(shown).not.toContain(JSON.stringify(form).slice(1, -1));
    }
    expect(shown.toLowerCase()).not.toContain(TEST_KEY.toLowerCase());
  }

  test.each(Object.entries(FORMS))("%s: the credentials are removed, and the rest stays", async (_, form) => {
    const details = { headers: { Authorization: form }, list: [`<${form}>`], [form]: 1, stream_id: 3 };
    const { connection } = scripted([error(400, "BAD_REQUEST", `You sent ${form} to us.`, details)]);
    const refused = answerOf(await connection.exchange(WRITE));
    expect(refused).toMatchObject({ outcome: "refused", code: "BAD_REQUEST", details: { stream_id: 3 } });
    expectNoKey(JSON.stringify(refused));
  });

  test.each(Object.entries(FORMS))("%s, written with JSON's own escapes", async (_, form) => {
    const escaped = [...form].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    const body = `{"result":"error","code":"BAD_REQUEST","msg":"Refused: ${escaped}"}`;
    const { connection } = scripted([{ status: 400, headers: {}, body }]);
    expectNoKey(JSON.stringify(answerOf(await connection.exchange(WRITE))));
  });

  test.each(Object.entries(FORMS))(
    "%s, in the answer to a reading, in a redirect, in the server's name",
    async (_, form) => {
      const header = form.replace(/\s+/g, "");
      const { connection } = scripted([
        success({ streams: [{ name: form, description: form }] }),
        { status: 302, headers: { location: `https://login.example.org/${header}?from=${header}` }, body: "" },
        { status: 403, headers: { server: header }, body: "<html>" },
      ]);
      for (const _turn of [1, 2, 3]) {
        const reply = await connection.exchange(READ);
        expectNoKey(JSON.stringify(reply));
        if (reply.kind !== "envelope") expect(() => bodyOrFail(reply, connection)).toThrow(Failure);
      }
    },
  );

  test("text that is not a credential stays as it is", () => {
    const filter = echoFilter(EMAIL, TEST_KEY);
    const realm = {
      name: "Kim, 100 % sure",
      url: "https://example.org/a%20b?x=%2F",
      picture: `data:image/png;base64,${base64("a picture of something else entirely, quite long")}`,
      hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      list: [1, null, true, { email: EMAIL }],
    };
    expect(filter.json(realm)).toBe(realm);
    expect(filter.text("short")).toBe("short");
  });
});

describe("long answers", () => {
  test("a sentence of five million characters is cut before it is formatted or stored", async () => {
    const long = "no ".repeat(1_700_000);
    const { connection } = scripted([error(400, "BAD_REQUEST", long)]);
    const answered = answerOf(await connection.exchange(WRITE));
    // A refusal of that length does not come from the server.
    expect(answered).toMatchObject({ outcome: "unknown" });
    expect(JSON.stringify(answered).length).toBeLessThan(2_000);
    const shorter = scripted([error(400, "BAD_REQUEST", "no ".repeat(30_000))]);
    const refused = answerOf(await shorter.connection.exchange(WRITE));
    expect(refused).toMatchObject({ outcome: "refused", message: expect.stringMatching(/… \(90000 characters\)$/) });
    expect(JSON.stringify(refused).length).toBeLessThan(2_000);
  });
});
