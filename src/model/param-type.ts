import { cases, type FactIn } from "./cases.ts";

const PATH_PART = 'a string that is not empty, without "." or ".." between slashes';

/** A requirement on a parameter in words: its type, text that can be sent, or a part of a path. */
export const paramText = cases("is", {
  text: "a string",
  word: ({ words }: { words: readonly string[] }) => `one of ${words.join(", ")}`,
  boolean: "true or false",
  integer: ({ nullable, words = [] }: { nullable?: boolean; words?: readonly string[] }) =>
    ["a whole number", ...words, ...(nullable ? ["null"] : [])].join(" or "),
  "text-or-null": "a string or null",
  integers: "a list of whole numbers, such as [1,2]",
  texts: 'a list of strings, such as ["a","b"]',
  /** User ids, or addresses, not mixed. */
  "user-ids": "a list of user ids, such as [1,2], or of addresses",
  /** One id, or a list of ids; with `text`, also a channel's name. */
  recipients: ({ text }: { text: boolean }) =>
    text ? "an id, a list of user ids, or a channel's name" : "an id or a list of ids, such as [1,2]",
  list: "a JSON list",
  object: "a JSON object",
  /** A group-setting value: a group's id, or `{direct_members, direct_subgroups}`. */
  group: 'a group\'s id or {"direct_members":[…],"direct_subgroups":[…]}',
  /** `{new, old?}` of group-setting values (zulip-api.md §3.5.1). */
  "group-update":
    '{"new":…,"old":…} with a group\'s id or {"direct_members":[…],"direct_subgroups":[…]} each ("old" may be left out)',
  /** A file, which makes the request `multipart/form-data`: a `FileParam`. */
  file: "a picture: the path of a PNG, JPEG, GIF or WebP file",
  sendable: "well-formed text without NUL characters",
  segment: PATH_PART,
  segments: PATH_PART,
});
export type WantedParam = FactIn<typeof paramText>;
export type ParamType = Exclude<WantedParam, { readonly is: "sendable" | "segment" | "segments" }>;
