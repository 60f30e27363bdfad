import * as z from "zod";
import { once } from "../../model/lazy.ts";

/** One default channel as the file writes it: the channel's name, or the name with `absent`. */
export const defaultChannelForm = once(() =>
  z
    .union([
      z.string(),
      z.strictObject({
        channel: z.string().describe("Name of the channel."),
        absent: z.boolean().optional().describe("`true` removes it from the default channels under any policy."),
      }),
    ])
    .describe("A channel to which new accounts are subscribed."),
);
export type DefaultChannel = z.infer<ReturnType<typeof defaultChannelForm>>;

export const channelOf = (item: DefaultChannel): string => (typeof item === "string" ? item : item.channel);
