import { isObject, type Json, mapOf } from "../../src/model/json.ts";

/** Who sends a request of a recording, by what its token may do. */
export type Who = keyof typeof SCOPES;

/** The scopes of each token, in Gitea's words. `other` is the token of another account, which may only read the repository. */
export const SCOPES = {
  bot: ["write:issue", "read:user"],
  other: ["write:issue", "read:user"],
  reader: ["read:issue", "read:user"],
  nameless: ["write:issue"],
  wrong: [],
} as const satisfies { readonly [who: string]: readonly string[] };

interface Step {
  readonly as: Who;
  readonly method: string;
  /** Below the API's address. `{first}` is the number of the comment that the step with `save: "first"` made. */
  readonly path: string;
  readonly body?: { readonly [field: string]: Json };
  readonly save?: string;
}

/** A step, and what the forge answered. */
export interface Exchange extends Step {
  readonly response: { readonly status: number; readonly body: Json };
}

const COMMENTS = "/repos/acme/chat/issues/3/comments";
const FIRST = "/repos/acme/chat/issues/comments/{first}";
const SECOND = "/repos/acme/chat/issues/comments/{second}";
const MISSING = "/repos/acme/chat/issues/99/comments";

/** Everything that `realmctl comment` asks Gitea and Forgejo for, and what they may refuse. Pull request 3 exists, and has no comment. */
export const STEPS: readonly Step[] = [
  { as: "bot", method: "GET", path: "/user" },
  { as: "nameless", method: "GET", path: "/user" },
  { as: "wrong", method: "GET", path: "/user" },
  { as: "bot", method: "GET", path: COMMENTS },
  { as: "bot", method: "POST", path: COMMENTS, body: { body: "<!-- mark -->\nOne" }, save: "first" },
  { as: "other", method: "POST", path: COMMENTS, body: { body: "Nice" }, save: "second" },
  { as: "bot", method: "GET", path: COMMENTS },
  { as: "bot", method: "PATCH", path: FIRST, body: { body: "<!-- mark -->\nTwo" } },
  { as: "bot", method: "GET", path: COMMENTS },
  { as: "other", method: "PATCH", path: FIRST, body: { body: "Mine" } },
  { as: "bot", method: "PATCH", path: SECOND, body: { body: "The bot may write, so it may edit" } },
  { as: "reader", method: "GET", path: COMMENTS },
  { as: "reader", method: "POST", path: COMMENTS, body: { body: "One" } },
  { as: "reader", method: "PATCH", path: FIRST, body: { body: "One" } },
  { as: "reader", method: "DELETE", path: FIRST },
  { as: "wrong", method: "POST", path: COMMENTS, body: { body: "One" } },
  { as: "bot", method: "POST", path: COMMENTS, body: { body: "" } },
  { as: "bot", method: "PATCH", path: FIRST, body: { body: "" } },
  { as: "bot", method: "GET", path: MISSING },
  { as: "bot", method: "POST", path: MISSING, body: { body: "One" } },
  { as: "other", method: "DELETE", path: FIRST },
  { as: "bot", method: "DELETE", path: FIRST },
  { as: "bot", method: "PATCH", path: FIRST, body: { body: "Three" } },
  { as: "bot", method: "DELETE", path: FIRST },
  { as: "bot", method: "GET", path: COMMENTS },
];

/** Sends the steps to a forge, below an address of its API; its address and its times are replaced in what it answers. */
export async function exchanged(
  steps: readonly Step[],
  url: string,
  tokens: { readonly [who in Who]: string },
  api = "/api/v1",
): Promise<readonly Exchange[]> {
  const saved = new Map<string, string>();
  const done: Exchange[] = [];
  for (const { as, method, path, body, save } of steps) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => saved.get(name) ?? name);
    const answer = await fetch(`${url}${api}${filled}`, {
      method,
      headers: {
        authorization: `token ${tokens[as]}`,
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = (await answer.text()).replaceAll(url, "https://forge.example.org");
    const value: Json =
      text === "" ? null : JSON.parse(text.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)"/g, TIME));
    if (save !== undefined) saved.set(save, String(mapOf(value)?.id));
    done.push({
      ...{ as, method, path, ...(body && { body }), ...(save !== undefined && { save }) },
      response: { status: answer.status, body: value },
    });
  }
  return done;
}

const TIME = '"2026-11-28T12:00:00Z"';

/**
 * How an answer differs from the recorded one. It may leave fields out, but what it has must be there, with the same value; numbers of things may differ, as long as
 * the same number always stands for the same one.
 */
export class Comparison {
  /** Accounts and comments have separate numbers. */
  private readonly numbers = { user: new Map<number, number>(), comment: new Map<number, number>() };

  differences(recorded: unknown, given: unknown, at = ""): readonly string[] {
    if (Array.isArray(recorded) && Array.isArray(given)) {
      const listed: readonly unknown[] = recorded;
      const own: readonly unknown[] = given;
      if (listed.length !== own.length) return [`${at}: ${own.length} instead of ${listed.length}`];
      return listed.flatMap((one, index) => this.differences(one, own[index], `${at}[${index}]`));
    }
    if (isObject(recorded) && isObject(given))
      return Object.entries(given).flatMap(([field, value]) =>
        field in recorded
          ? this.differences(recorded[field], value, `${at}.${field}`)
          : [`${at}.${field} is not recorded`],
      );
    if (typeof recorded === "number" && typeof given === "number" && /\bid$/.test(at)) {
      const numbers = this.numbers[at.includes(".user.") ? "user" : "comment"];
      const known = numbers.get(recorded) ?? given;
      numbers.set(recorded, known);
      return known === given ? [] : [`${at}: ${given} instead of ${known}`];
    }
    if (typeof recorded === "string" && typeof given === "string")
      return this.numbered(recorded) === given ? [] : [`${at}: ${given} instead of ${recorded}`];
    return recorded === given ? [] : [`${at}: ${JSON.stringify(given)} instead of ${JSON.stringify(recorded)}`];
  }

  /** A recorded text with the numbers of this forge: addresses end with them. */
  private numbered(text: string): string {
    return text.replace(
      /(#issuecomment-)(\d+)$/,
      (_, mark: string, id: string) => `${mark}${this.numbers.comment.get(Number(id)) ?? id}`,
    );
  }
}
