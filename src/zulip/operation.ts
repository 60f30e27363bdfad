import type { ParamSpec } from "./param.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The effect of sending an operation twice (zulip-api.md §15.2, §15.7). It decides what may follow a lost answer:
 * - `read`: changes nothing; sent again as often as needed
 * - `idempotent`: the second time has the same result (but may post a second notice, so it is not repeated blindly either)
 * - `guarded`: the server refuses a repetition, because of a unique name or `old`
 * - `unsafe`: a repetition makes a second object, mail or message
 */
type Repeat = "read" | "idempotent" | "guarded" | "unsafe";

/** A part of the path: an id, text in one segment, or text whose slashes stay (navigation fragments). */
export interface PathSpec {
  readonly type: "integer" | "segment" | "segments";
  readonly about: string;
}

export interface Operation {
  /** The name in the server's own documentation, if it has one. */
  readonly name: string;
  readonly method: Method;
  /** Below `/api/v1`; `{name}` stands for a path value. */
  readonly template: string;
  /** Feature level from which the server has it; 0: older than feature levels, or unknown but far below the minimum of 320. */
  readonly level: number;
  readonly about: string;
  readonly path: { readonly [name: string]: PathSpec };
  readonly params: { readonly [name: string]: ParamSpec };
  readonly repeat: Repeat;
  /** How to find out, after a lost answer, whether the request was carried out. */
  readonly recovery: string;
  /** `server`: the server sends it to a bot's own URL. It is in the table because the table is complete; realmctl never sends it. */
  readonly sentBy: "client" | "server";
}

interface OperationText {
  readonly about: string;
  readonly level?: number;
  /** The parts of the path about which there is more to say than {@link PARTS} does. */
  readonly path?: { readonly [name: string]: PathSpec };
  readonly params?: { readonly [name: string]: ParamSpec };
}

/** An operation that reads: a GET, or a POST without a lasting effect. */
export function read(name: string, route: `${Method} /${string}`, more: OperationText): Operation {
  return operation(name, route, more, "read", "ask again");
}

export function write(
  name: string,
  route: `${Method} /${string}`,
  repeat: Exclude<Repeat, "read">,
  recovery: string,
  more: OperationText,
): Operation {
  return operation(name, route, more, repeat, recovery);
}

function operation(name: string, route: string, more: OperationText, repeat: Repeat, recovery: string): Operation {
  const { about, level = 0, params = {} } = more;
  const space = route.indexOf(" ");
  const method = methodOf(route.slice(0, space));
  const template = route.slice(space + 1);
  return {
    name,
    method,
    template,
    level,
    about,
    path: pathOf(template, more.path),
    params,
    repeat,
    recovery,
    sentBy: "client",
  };
}

function methodOf(word: string): Method {
  if (word === "GET" || word === "POST" || word === "PATCH" || word === "DELETE") return word;
  throw new RangeError(`no HTTP method: ${word}`);
}

export const id = (about: string): PathSpec => ({ type: "integer", about });
export const segment = (about: string): PathSpec => ({ type: "segment", about });
const segments = (about: string): PathSpec => ({ type: "segments", about });

/** The parts of paths, as most operations have them. */
const PARTS: { readonly [name: string]: PathSpec } = {
  message_id: id("the message"),
  draft_id: id("the draft"),
  scheduled_message_id: id("the scheduled message"),
  reminder_id: id("the reminder"),
  attachment_id: id("the file"),
  stream_id: id("the channel"),
  user_group_id: id("the group"),
  user_id: id("the person"),
  bot_id: id("the bot"),
  channel_folder_id: id("the folder"),
  filter_id: id("the linkifier"),
  field_id: id("the field"),
  playground_id: id("the playground"),
  domain: segment("the domain, in lower case"),
  fragment: segments("the view's URL hash without #; slashes stay"),
};

const pathOf = (template: string, own: OperationText["path"] = {}): { readonly [name: string]: PathSpec } =>
  Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, own[name] ?? PARTS[name] ?? id(name)]),
  );
