import * as z from "zod";
import type { Json } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import { USER_DEFAULTS } from "./properties.ts";

const fields = (): { readonly [name: string]: z.ZodType<Json | undefined> } =>
  Object.fromEntries(
    Object.entries(USER_DEFAULTS).map(([name, { type, about }]) => [name, type.schema().optional().describe(about)]),
  );

/** The section as a file writes it: every field may be left out, and then stays as it is. */
export const userDefaultsForm = once(() => z.strictObject(fields()));
export type UserDefaults = z.infer<ReturnType<typeof userDefaultsForm>>;
