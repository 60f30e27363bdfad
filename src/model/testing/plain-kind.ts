// The least that a kind has, for tests that are about one facet of it.
import * as z from "zod";
import type { MapKind } from "../kind.ts";

/** A map of objects that nothing is known of and nobody hides. */
export const PLAIN: Omit<MapKind, "name" | "section" | "noun"> = {
  shape: "map",
  identity: { keyOf: (name) => name },
  file: { schema: z.unknown(), fields: {}, decode: () => ({ absent: false, fields: {} }) },
  live: { read: () => [] },
  calls: { draft: () => [] },
  secrecy: { name: "public", snapshot: () => ({}) },
  docs: { who: "Everybody.", defaults: {}, example: "" },
};
