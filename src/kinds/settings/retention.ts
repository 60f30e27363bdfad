import * as z from "zod";
import type { PropertyType } from "../property.ts";

const MOST_DAYS = 2_147_483_647;

/** As in a channel: a number of days, or a word. The API reads −1 for it, and refuses that when it is sent. */
export const retention: PropertyType = {
  schema: z.union([
    z
      .int()
      .positive({
        error: ({ input }) =>
          `message_retention_days cannot be ${String(input)}: it is a number of days from 1 on, or unlimited\nwrite unlimited to keep messages for ever`,
      })
      .max(MOST_DAYS, {
        error: ({ input }) =>
          `message_retention_days cannot be ${String(input)}: no server keeps more than ${MOST_DAYS} days\nwrite unlimited`,
      }),
    z.enum(["unlimited"]),
  ]),
  fromApi: (value) => (value === -1 || value === null ? "unlimited" : value),
  toApi: (value) => value,
};
