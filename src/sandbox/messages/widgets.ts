import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { ApiError } from "../errors.ts";
import { jsonIn } from "../json-text.ts";
import type { Message } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { stripped } from "../white-space.ts";

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
export function nextSubmessageId(state: RealmState): number {
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
