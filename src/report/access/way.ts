import { shownName } from "../object-names.ts";

/** Who reads a channel by how open it is. */
export const PRIVACY_TEXTS = {
  web_public: "on the web: everybody reads it",
  public: "public: everybody but guests",
  private_shared_history: "private, shared history",
  private_protected_history: "private, protected history",
} as const;

/** "staff ← on-call". Groups of roles below a group are plain: who is a moderator is a member. */
export function wayText([first = "", ...inner]: readonly string[]): string {
  return [first, ...inner.filter((name) => !name.startsWith("role:"))].map((name) => shownName(name)).join(" ← ");
}
