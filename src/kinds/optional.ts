import * as z from "zod";

/** A field that a file may leave out. @param about one sentence, for the schema and the reference */
export const optional = <Form extends z.ZodType>(form: Form, about: string): z.ZodOptional<Form> =>
  form.optional().describe(about);

/** The same for one that may also be `null`, which empties it or means a default. */
export const orNull = <Form extends z.ZodType>(form: Form, about: string): z.ZodOptional<z.ZodNullable<Form>> =>
  optional(form.nullable(), about);

/** The same for `true` and `false`, and for texts. */
export const flag = (about: string) => optional(z.boolean(), about);
export const string = (about: string) => optional(z.string(), about);
