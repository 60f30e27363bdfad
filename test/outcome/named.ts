import type { File } from "./file.ts";
import type { Row, Rows, Seen } from "./seen.ts";

/** Objects that only their name identifies, and that are deleted for good: domains and views. */
function namedAfter(
  section: string,
  file: File,
  now: Rows,
  key: (name: string) => string,
  fields: readonly string[],
  fresh: Row,
): Rows {
  const items = file.items(section);
  if (items === undefined) return now;
  const after: { [name: string]: Row } = file.isExact(section) ? {} : { ...now };
  for (const item of items) {
    const name = key(item.name);
    if (item.goes) {
      delete after[name];
      continue;
    }
    const said = fields.flatMap((field) => {
      const value = item.fields[field];
      if (value === undefined) return [];
      return [[field, typeof value === "string" ? value.trim() : value] as const];
    });
    after[name] = { ...(now[name] ?? fresh), ...Object.fromEntries(said) };
  }
  return after;
}

/** Domains as the server stores them: without case (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). */
export function domainsAfter(file: File, now: Seen): Rows {
  const key = (name: string): string => name.trim().toLowerCase();
  return namedAfter("domains", file, now.domains, key, ["allow_subdomains"], { allow_subdomains: false });
}

/** The server lifts the restriction when its last domain goes. */
export function restrictionAfter(now: Seen, domains: Rows): boolean {
  const lost = Object.keys(now.domains).length > 0 && Object.keys(domains).length === 0;
  return now.isRestrictedToDomains && !lost;
}

/** Views of the account that applies, by fragment with case (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). */
export function viewsAfter(file: File, now: Seen): Rows {
  const key = (name: string): string => name.trim();
  return namedAfter("navigation_views", file, now.views, key, ["is_pinned", "name"], { name: null });
}
