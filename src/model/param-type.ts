/** The type of a parameter. */
export type ParamType =
  | { readonly is: "text" }
  | { readonly is: "word"; readonly words: readonly string[] }
  | { readonly is: "boolean" }
  | { readonly is: "integer"; readonly nullable?: boolean; readonly words?: readonly string[] }
  | { readonly is: "text-or-null" }
  | { readonly is: "integers" }
  | { readonly is: "texts" }
  /** User ids, or addresses, not mixed. */
  | { readonly is: "user-ids" }
  /** One id, or a list of ids; with `text`, also a channel's name. */
  | { readonly is: "recipients"; readonly text: boolean }
  | { readonly is: "list" }
  | { readonly is: "object" }
  /** A group-setting value: a group's id, or `{direct_members, direct_subgroups}`. */
  | { readonly is: "group" }
  /** `{new, old?}` of group-setting values (zulip-api.md §3.5.1). */
  | { readonly is: "group-update" }
  /** A file, which makes the request `multipart/form-data`: a `FileParam`. */
  | { readonly is: "file" };

/** A requirement on a parameter: its type, text that can be sent, or a part of a path. */
export type WantedParam = ParamType | { readonly is: "sendable" | "segment" | "segments" };
