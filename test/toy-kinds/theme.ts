// A singleton that no server has. It is in `settings.toy_theme` of a snapshot.
import * as z from "zod";
import { defined } from "../../src/model/defined.ts";
import { isObject } from "../../src/model/json.ts";
import type { SingletonKind } from "../../src/model/kind.ts";
import type { Fields } from "../../src/model/objects.ts";

const Theme = z.strictObject({
  colour: z.string().optional().describe("What the background is painted with."),
  font: z.string().optional().describe("What texts are set in."),
  motto: z.string().optional().describe("What stands above every page."),
});
type Theme = z.infer<typeof Theme>;

export const NEW_THEME: Fields = { colour: "white", font: "serif", motto: "" };

export const theme: SingletonKind<Theme> = {
  name: "toy_theme",
  section: "toy_theme",
  shape: "singleton",
  noun: ["toy theme", "toy theme"],
  file: {
    schema: () => Theme,
    fields: {
      colour: { about: "What the background is painted with." },
      font: { about: "What texts are set in." },
      motto: { about: "What stands above every page." },
    },
    decode: (item) => ({ absent: false, fields: defined(item) }),
  },
  live: {
    read: ({ snapshot }) => {
      const { toy_theme } = snapshot.settings;
      return isObject(toy_theme) ? toy_theme : undefined;
    },
  },
  diff: { defaults: () => NEW_THEME },
  calls: {
    draft: (changes) =>
      changes.map(({ address, fields }) => ({
        operation: "update-toy-theme",
        path: {},
        params: Object.fromEntries(fields.map(({ field, after }) => [field, after])),
        for: [{ address, fields: fields.map(({ field }) => field) }],
      })),
  },
  yaml: {
    item: ({ fields }) =>
      Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== NEW_THEME[field])),
  },
  secrecy: { name: "public", fields: { colour: "word", font: "word" }, snapshot: ({ settings }) => ({ settings }) },
  docs: {
    about: "How pages look.",
    who: "Everybody.",
    defaults: { colour: "`white`", font: "`serif`", motto: "empty" },
    example: "toy_theme: {colour: teal}",
  },
};
