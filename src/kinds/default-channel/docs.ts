import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  who: "Administrators.",
  defaults: {},
  example: `default_channels: [announce, general]
channels: {announce: {}, general: {}}`,
};
