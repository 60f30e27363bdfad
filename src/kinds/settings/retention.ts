import * as z from "zod";
import { once } from "../../model/lazy.ts";
import type { PropertyType } from "../property.ts";
import { retentionDays } from "../retention.ts";

/** As in a channel: a number of days, or a word. The API returns −1 for it, and refuses −1 when it is sent. */
export const retention: PropertyType = {
  schema: once(() => z.union([retentionDays(["unlimited"]), z.enum(["unlimited"])])),
  fromApi: (value) => (value === -1 || value === null ? "unlimited" : value),
  toApi: (value) => value,
};
