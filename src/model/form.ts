import * as z from "zod";
import type { Json, JsonObject } from "./json.ts";

/**
 * The values of a schema as a program sees them: nobody changes them. A list that is readonly already stays as it is. (`z.readonly()` would freeze each value that is
 * parsed, and say so in the published JSON Schema.)
 */
export type Immutable<T> = T extends readonly unknown[]
  ? T extends unknown[]
    ? readonly Immutable<T[number]>[]
    : T
  : { readonly [Key in keyof T]: Immutable<T[Key]> };

export type KeysOf<Union> = Union extends unknown ? keyof Union : never;

/** A union of which every member can be asked for the fields of the others: it never has them. */
export type Alternatives<Union, One extends Union = Union> = One extends unknown
  ? One & { readonly [Other in Exclude<KeysOf<Union>, keyof One>]?: never }
  : never;

/** The name of one managed object across runs: `channel:announce`. Never a server id. */
export type Address = `${string}:${string}`;
// Where the published JSON Schema must not name what several places share, each place has its own schema, made by a function.
export const address = () =>
  z
    .string()
    .regex(/^[a-z_]+:/)
    .refine((text): text is Address => text.includes(":"));
export const Address = address().describe("Kind and name of an object: `channel:announce`.");

/** A field that is true or absent. */
export const mark = (about: string) => z.literal(true).exactOptional().describe(about);
/** A field that can be absent. */
export const maybe = <Form extends z.ZodType>(form: Form, about: string) => form.exactOptional().describe(about);

export const json = (): z.ZodType<Json> => z.json();
export const jsonObject = (): z.ZodType<JsonObject> => z.record(z.string(), z.json());

/** Facts that realmctl wrote, of which only this form is checked: a checksum vouches for the rest, or planning makes them again. */
export function written<Facts>(form: z.ZodType): z.ZodType<Facts>;
export function written(form: z.ZodType): z.ZodType {
  return form;
}
