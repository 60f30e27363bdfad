import { IGNORED_TITLE } from "../../report/commands/init.ts";

/** Files that must not be in a repository: journals, saved plans (they name private channels), credentials. */
const IGNORED = [".realmctl/", "*.plan", "*zuliprc"] as const;

/** The file with the missing lines added; the same text if it has all of them. */
export function withIgnored(text: string | undefined): string {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return text ?? "";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`;
  return `${before}${before === "" ? "" : "\n"}${IGNORED_TITLE}\n${missing.join("\n")}\n`;
}
