import type { DocsFacet } from "../../model/kind.ts";

export const docs: DocsFacet = {
  who: "Administrators.",
  defaults: {},
  example: `default_channels: [announce, general]
channels: {announce: {}, general: {}}`,
};
