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

/** The type of a parameter in words. */
export function paramText(type: WantedParam): string {
  switch (type.is) {
    case "text":
      return "a string";
    case "text-or-null":
      return "a string or null";
    case "word":
      return `one of ${type.words.join(", ")}`;
    case "boolean":
      return "true or false";
    case "integer":
      return ["a whole number", ...(type.words ?? []), ...(type.nullable ? ["null"] : [])].join(" or ");
    case "integers":
      return "a list of whole numbers, such as [1,2]";
    case "texts":
      return 'a list of strings, such as ["a","b"]';
    case "user-ids":
      return "a list of user ids, such as [1,2], or of addresses";
    case "recipients":
      return type.text ? "an id, a list of user ids, or a channel's name" : "an id or a list of ids, such as [1,2]";
    case "list":
      return "a JSON list";
    case "object":
      return "a JSON object";
    case "group":
      return 'a group\'s id or {"direct_members":[…],"direct_subgroups":[…]}';
    case "file":
      return "a picture: the path of a PNG, JPEG, GIF or WebP file";
    case "group-update":
      return '{"new":…,"old":…} with a group\'s id or {"direct_members":[…],"direct_subgroups":[…]} each ("old" may be left out)';
    case "sendable":
      return "well-formed text without NUL characters";
    case "segment":
    case "segments":
      return 'a string that is not empty, without "." or ".." between slashes';
  }
}
