import * as z from "zod";
import { once } from "../../model/lazy.ts";

const path = once(() =>
  z.string().describe("A PNG, JPEG, GIF or WebP file of at most 5 MiB, relative to the file that names it."),
);

/** One custom emoji as the file writes it: the path of its picture, or a map. */
export const emojiForm = once(() =>
  z.union([
    path(),
    z.strictObject({
      image: path().optional(),
      replaces: z
        .int()
        .positive()
        .optional()
        .describe(
          "The id of the emoji whose picture `image` replaces. As long as the emoji has that id, it is removed and added again. realmctl cannot compare pictures with those of the server.",
        ),
      overrides_builtin: z
        .literal(true)
        .optional()
        .describe(
          "`true` confirms that the name is that of a built-in emoji. Nobody sees the built-in emoji while this one exists.",
        ),
      absent: z
        .boolean()
        .optional()
        .describe("`true` removes the emoji under any policy. Messages with the emoji keep it."),
    }),
  ]),
);
export type Emoji = z.infer<ReturnType<typeof emojiForm>>;
