import { strip } from "../names.ts";

/** Views that Zulip itself has (zulip-api.md §8): they need no name, and cannot have one. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "inbox",
  "recent",
  "feed",
  "drafts",
  "narrow/has/reaction/sender/me",
  "narrow/is/mentioned",
  "narrow/is/starred",
  "scheduled",
  "reminders",
]);

export function isBuiltIn(fragment: string): boolean {
  return BUILT_IN.has(fragment);
}

/** As the server stores it: with case, without white space around it. */
export function canonicalFragment(name: string): string {
  return strip(name);
}

/** Why this names no view, and what to do about it; undefined when it does. */
export function fragmentFlaw(fragment: string): { readonly message: string; readonly hint: string } | undefined {
  if (fragment === "") return { message: "a view is named by the part of its URL behind the #", hint: "write one" };
  const hash = fragment.indexOf("#");
  if (fragment.startsWith("#") || (hash > 0 && /^https?:/.test(fragment)))
    return {
      message: "a view is named by the part of its URL behind the #",
      hint: `write ${fragment.slice(hash + 1)}`,
    };
  if (fragment.split("/").some((part) => part === "." || part === ".."))
    return {
      message: `${fragment} has "." or ".." between slashes`,
      hint: "such a view can be made, but never be changed or removed again",
    };
  const builtIn = fragment.toLowerCase();
  if (!isBuiltIn(fragment) && isBuiltIn(builtIn))
    return { message: `${fragment} is no view of Zulip: case matters`, hint: `write ${builtIn}` };
  return undefined;
}
