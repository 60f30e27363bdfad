import * as z from "zod";
import { isObject } from "../../model/json.ts";
import { once } from "../../model/lazy.ts";
import { optional, orNull } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { propertyForms } from "../property.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { PICTURE_FIELDS, pictureSchemas } from "./pictures.ts";
import { JOINING, LOOKS, NOTICES, PARTS, PROPERTIES } from "./properties.ts";

export const AUTHENTICATION_METHODS = "authentication_methods";
export const ABOUT_METHODS =
  "Which of the server's sign-in methods can be used: `{Email: true, Google: false}`. A method that is left out stays as it is; one must stay enabled.";

/** Every field but the permissions, in the order in which a file reads best. */
export const FIELD_PARTS = Object.entries(PARTS).map(([heading, part]) => ({
  heading,
  fields: [
    ...Object.keys(part),
    ...(heading === LOOKS ? PICTURE_FIELDS : []),
    ...(heading === JOINING ? [AUTHENTICATION_METHODS] : []),
    ...(heading === NOTICES ? Object.keys(CHANNEL_SETTINGS) : []),
  ],
}));
export const FIELD_ORDER: readonly string[] = FIELD_PARTS.flatMap(({ fields }) => fields);

/** In the order of {@link FIELD_ORDER}, which the schema keeps. */
function fieldSchemas(): { readonly [name: string]: z.ZodType } {
  const known: { readonly [name: string]: z.ZodType } = { ...pictureSchemas(), ...propertyForms(PROPERTIES) };
  const channel = (name: string) => orNull(z.string().min(1), CHANNEL_SETTINGS[name]?.about ?? name);
  const names = FIELD_ORDER.filter((name) => name !== AUTHENTICATION_METHODS);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? channel(name)]));
}

/** A record silently drops this key, and so would the pattern that shows the error in editors. */
function refuseProto(methods: unknown, context: z.core.$RefinementCtx): unknown {
  if (isObject(methods) && Object.hasOwn(methods, "__proto__"))
    context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: methods });
  return methods;
}

/** The section as a file writes it: every field may be left out, and then stays as it is. */
export const settingsForm = once(() =>
  z.strictObject({
    ...fieldSchemas(),
    [AUTHENTICATION_METHODS]: optional(
      z
        // The pattern says the same to editors.
        .preprocess(refuseProto, z.record(z.string().regex(/^(?!__proto__$)/), z.boolean())),
      ABOUT_METHODS,
    ),
    permissions: permissionsForm("realm").optional(),
  }),
);
export type Settings = z.infer<ReturnType<typeof settingsForm>>;
