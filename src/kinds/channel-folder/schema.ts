import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { wrongForm } from "../../model/value-form.ts";
import { isAtMost, MAX_DESCRIPTION_LENGTH } from "../names.ts";

/** One channel folder as the file writes it. */
export const channelFolderForm = once(() =>
  z.strictObject({
    was: z.string().optional().describe("The name to rename from. Delete it after the rename was applied."),
    id: z.int().positive().optional().describe("Identifies the folder by its id instead of its name."),
    absent: z.boolean().optional().describe("`true` archives the folder, if it exists, under any policy."),
    archived: z
      .boolean()
      .optional()
      .describe(
        "`true` archives the folder, once no channel is in it. An archived folder without this field is unarchived.",
      ),
    description: z
      .string()
      .refine(isAtMost(MAX_DESCRIPTION_LENGTH), wrongForm({ form: "text", most_characters: MAX_DESCRIPTION_LENGTH }))
      .nullable()
      .optional()
      .describe("What is in the folder. `null` empties it."),
  }),
);
export type ChannelFolder = z.infer<ReturnType<typeof channelFolderForm>>;
