import { isObject } from "../../model/json.ts";
import { among } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { jsonIn } from "../json-text.ts";
import { bool, int, json, oneOf, required, type Schema, string, text } from "../params.ts";
import type { Message } from "../rows/messages.ts";
import { hearersOf, messageFor } from "./access.ts";
import { nextSubmessageId } from "./widgets.ts";

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
