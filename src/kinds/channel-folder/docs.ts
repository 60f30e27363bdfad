import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  who: "Administrators.",
  defaults: { name: "–", description: "empty", archived: "`false`" },
  example: `channel_folders:
  Company: {description: What concerns everybody}`,
};
