import { defined } from "../model/defined.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { USER_DEFAULTS } from "./server-defaults.ts";

/** Personal settings at the start of a realm: everybody is shown their own only, so that of others little is known. */

/** `email_address_visibility` */
const EVERYBODY = 1;
const ADMINISTRATORS = 3;
const NOBODY = 4;

/** The realm's defaults; what they do not say is as on a server that nobody configured. */
export const userDefaultsOf = (known: JsonObject): JsonObject => filledUp(known, USER_DEFAULTS);

/** Settings that a new account does not take from the realm's defaults, though these have them: nobody was asked about mail. */
const NOT_TAKEN: JsonObject = {
  allow_private_data_export: false,
  enable_login_emails: true,
  enable_marketing_emails: false,
};
/** What a new account of the realm has. Its language is the realm's, not that of the defaults. */
export const settingsOfNewAccounts = (userDefaults: JsonObject, language: unknown): JsonObject => ({
  ...userDefaultsOf(userDefaults),
  ...NOT_TAKEN,
  ...defined({ default_language: typeof language === "string" ? language : undefined }),
  timezone: "",
});

/** What is known comes first, in its order. */
export const filledUp = (known: JsonObject, defaults: JsonObject): JsonObject => ({
  ...known,
  ...Object.fromEntries(Object.entries(defaults).filter(([key]) => !(key in known))),
});

interface SeenAccount {
  readonly is_bot: boolean;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly timezone?: string | undefined;
}
/** Where the account differs from a new one, as far as an administrator was shown it. */
export function settingsSeen(account: SeenAccount, defaults: JsonObject): JsonObject {
  const visibility = visibilityOf(account, defaults.email_address_visibility);
  const { timezone = "" } = account;
  return {
    ...defined({
      email_address_visibility: visibility === defaults.email_address_visibility ? undefined : visibility,
      timezone: timezone === "" ? undefined : timezone,
    }),
  };
}

/** Who may see the address shows in what an administrator was shown of it; between some nobody can tell. */
function visibilityOf({ is_bot, email, delivery_email }: SeenAccount, usual: Json = ADMINISTRATORS): Json {
  if (is_bot) return usual;
  if (delivery_email === null) return NOBODY;
  if (delivery_email === email) return EVERYBODY;
  return usual === EVERYBODY || usual === NOBODY ? ADMINISTRATORS : usual;
}
