import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { among } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, oneOf, required, type Schema, string, text } from "../params.ts";
import { jsonIn, stripped } from "../python.ts";
import type { Message } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { hearersOf, messageFor } from "./access.ts";

/** Polls, to-do lists and the forms of bots: a message with such a beginning has a submessage that defines what clients show. */
export interface Widget {
  readonly widget_type: string;
  readonly extra_data: JsonObject;
}

/** Parses the text: `/poll Question` or `/todo Title`, and one line for each option or task. */
export function widgetOf(content: string): Widget | undefined {
  const type = /^\/(poll|todo)(?=\s|$)/.exec(content)?.[1];
  if (type === undefined) return undefined;
  const [first = "", ...others] = content.slice(type.length + 1).split(LINE_END);
  const items = others.map((line) => stripped(line).replace(/^[-*]?\s*/, "")).filter((item) => item !== "");
  const title = stripped(first);
  if (type === "poll") return { widget_type: type, extra_data: { question: title, options: items } };
  return { widget_type: type, extra_data: { task_list_title: title, tasks: items.map(task) } };
}
const ENDS = "\\n\\r\\v\\f\\u001c-\\u001e\\u0085\\u2028\\u2029";
const LINE_END = new RegExp(`\\r\\n|[${ENDS}]`);

function task(item: string): JsonObject {
  const at = item.indexOf(": ");
  if (at < 0) return { task: item, desc: "" };
  return { task: stripped(item.slice(0, at)), desc: stripped(item.slice(at + 2)) };
}

/** `widget_content`: the field that bots send instead of a command. @throws ApiError */
export function sentWidget(sent: string): Widget {
  const invalid = (why: string) => new ApiError(`Widgets: ${why}`);
  const content = jsonIn(sent);
  if (content === undefined) throw invalid("API programmer sent invalid JSON content");
  if (!isObject(content)) throw invalid("widget_content is not a dict");
  const { widget_type, extra_data } = content;
  if (widget_type === undefined) throw invalid("widget_type is not in widget_content");
  if (extra_data === undefined) throw invalid("extra_data is not in widget_content");
  if (!isObject(extra_data)) throw invalid("extra_data is not a dict");
  if (widget_type !== "zform") throw invalid(`unknown widget type: ${String(widget_type)}`);
  if (extra_data.type === undefined) throw invalid("zform is missing type field");
  if (extra_data.type !== "choices") throw invalid(`unknown zform type: ${String(extra_data.type)}`);
  return { widget_type, extra_data };
}
function nextSubmessageId(state: RealmState): number {
  const used = rows(state.messages).flatMap(({ submessages = [] }) => submessages.map(({ id }) => Number(id)));
  return used.reduce((max, id) => Math.max(max, id), 0) + 1;
}
export function submessage(state: RealmState, messageId: number, senderId: number, widget: Widget): JsonObject {
  return {
    id: nextSubmessageId(state),
    message_id: messageId,
    sender_id: senderId,
    msg_type: "widget",
    content: asServerWrites({ widget_type: widget.widget_type, extra_data: widget.extra_data }),
  };
}

/** JSON with a space after colons and commas, in ASCII only. */
function asServerWrites(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(asServerWrites).join(", ")}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).map(([key, each]) => `${asServerWrites(key)}: ${asServerWrites(each)}`);
    return `{${pairs.join(", ")}}`;
  }
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Widgets cannot be edited; text that an edit turns into a command does not become a widget. */
export const isWidget = ({ submessages = [] }: Message): boolean => submessages.length > 0;

/** Votes, options and tasks that people add to polls and to-do lists. The server checks their form and keeps their order. */

const vote: Schema<number> = (value, path) => oneOf(1, -1)(int()(value, path), path);

interface Action {
  readonly fields: { readonly [name: string]: Schema<unknown> };
  /** The error for people other than the widget's author. */
  readonly onlyAuthor?: string;
}
const ACTIONS: { readonly [widget: string]: { readonly [type: string]: Action } } = {
  poll: {
    vote: { fields: { key: string(), vote } },
    question: { fields: { question: string() }, onlyAuthor: "You can't edit a question unless you are the author." },
    new_option: { fields: { option: string(), idx: int() } },
  },
  todo: {
    new_task: { fields: { key: int(), task: string(), desc: string(), completed: bool } },
    strike: { fields: { key: string() } },
    new_task_list_title: {
      fields: { title: string() },
      onlyAuthor: "You can't edit the task list title unless you are the author.",
    },
  },
};

/** @throws ApiError unless the widget knows the action, and its author may perform it */
function checkAction(widget: string, sent: unknown, isAuthor: boolean): void {
  const actions = ACTIONS[widget];
  if (actions === undefined) return;
  const name = `${widget} data`;
  if (!isObject(sent)) throw new ApiError(`${name} is not a dict`);
  if (!("type" in sent)) throw new ApiError(`type key is missing from ${name}`);
  const { type } = sent;
  if (typeof type !== "string") throw new ApiError(`${name}["type"] is not a string`);
  const action = Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (action === undefined) throw new ApiError(`Unknown type for ${name}: ${type}`);
  if (action.onlyAuthor !== undefined && !isAuthor) throw new ApiError(action.onlyAuthor);
  for (const [key, check] of Object.entries(action.fields)) {
    if (!Object.hasOwn(sent, key)) throw new ApiError(`${key} key is missing from ${name}`);
    check(sent[key], `${name}["${key}"]`);
  }
  const unexpected = Object.keys(sent).filter((key) => key !== "type" && !Object.hasOwn(action.fields, key));
  if (unexpected.length > 0) throw new ApiError(`Unexpected arguments: ${unexpected.join(", ")}`);
}

/** The type of widget that the message's own submessage states. */
function widgetTypeOf({ submessages = [] }: Message): string {
  const [first] = submessages;
  const content: unknown = first === undefined ? {} : JSON.parse(String(first.content));
  return isObject(content) && typeof content.widget_type === "string" ? content.widget_type : "";
}

export const submessageEndpoints = [
  defineEndpoint("POST /submessage", {
    params: { content: required(text()), message_id: required(json(int())), msg_type: required(text()) },
    handler(call, { message_id, msg_type, content }) {
      const { state, user, ledger } = call;
      const message = messageFor(call, message_id, "modify");
      const isAuthor = message.sender_id === user.user_id;
      const { submessages = [] } = message;
      if (!isAuthor && !submessages.some(({ sender_id }) => sender_id === message.sender_id))
        throw new ApiError("You cannot attach a submessage to this message.");
      const action = jsonIn(content);
      if (action === undefined) throw new ApiError("Invalid json for submessage");
      checkAction(widgetTypeOf(message), action, isAuthor);
      const id = nextSubmessageId(state);
      const fields = { message_id, sender_id: user.user_id, msg_type, content };
      ledger.set(message, "submessages", [...submessages, { id, ...fields }]);
      call.emit(among(hearersOf(state, message)), { type: "submessage", submessage_id: id, ...fields });
    },
  }),
];
