import * as z from "zod";

const Path = z.string().describe("A PNG, JPEG, GIF or WebP file of at most 5 MiB, relative to the file that names it.");

/** One custom emoji as the file writes it: the path of its picture, or a map. */
export const Emoji = z.union([
  Path,
  z.strictObject({
    image: Path.optional(),
    replaces: z
      .int()
      .positive()
      .optional()
      .describe(
        "The id of the emoji whose picture `image` takes the place of: as long as the emoji has that id, it is removed and added again. Nobody can compare pictures with what the server has.",
      ),
    overrides_builtin: z
      .literal(true)
      .optional()
      .describe(
        "The name is that of a built-in emoji, which nobody sees any more while this one is there: that is meant.",
      ),
    absent: z
      .boolean()
      .optional()
      .describe("`true` removes the emoji under any policy. Messages that have it keep it."),
  }),
]);
export type Emoji = z.infer<typeof Emoji>;
