import * as z from "zod";
import { wrongForm } from "../model/value-form.ts";

/** The maximum number of days that servers accept. */
const MOST_DAYS = 2_147_483_647;

/**
 * Days after which messages are deleted. The API has −1 where the file has a word; 0 is not allowed. @param words other values that may be written
 */
export const retentionDays = (words: readonly string[]): z.ZodInt =>
  z
    .int()
    .refine((days) => days > 0 && days <= MOST_DAYS, wrongForm({ form: "days", most_days: MOST_DAYS, words }))
    .positive()
    .max(MOST_DAYS);
