// A minimal kind, for tests that are about one facet.
import * as z from "zod";
import type { MapKind } from "../../../src/model/kind.ts";

/** A map of objects without fields or secrets. */
export const PLAIN: Omit<MapKind, "name" | "section" | "noun"> = {
  shape: "map",
  identity: { keyOf: (name) => name },
  file: { schema: () => z.unknown(), fields: {}, decode: () => ({ absent: false, fields: {} }) },
  live: { read: () => [] },
  calls: { draft: () => [] },
  secrecy: { name: "public", snapshot: () => ({}) },
  docs: { who: "Everybody.", defaults: {}, example: "" },
};
