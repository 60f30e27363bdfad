import { defined } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import { type Call, only } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { tellPicture } from "../users/avatar.ts";
import {
  addressVisibility,
  EVERYBODY,
  hostOfHiddenAddresses,
  knowing,
  seesAddress,
  tellPerson,
} from "../users/shown.ts";
import { checkStorable } from "./values.ts";

/** Changes one setting of one account, with the consequences. */
export function changeSetting(call: Call, user: User, name: string, value: Json): void {
  checkStorable(name, value);
  const visibleTo = addressVisibility(call.state, user);
  call.ledger.set(user, "settings", { ...user.settings, [name]: value });
  if (user === call.user) noteEdited(call, user, name);
  const language = defined({ language_name: name === "default_language" ? languageName(String(value)) : undefined });
  call.emit(only(user.user_id), { type: "user_settings", op: "update", property: name, value, ...language });
  if (name === "enable_drafts_synchronization" && value === false) deleteDrafts(call, user);
  if (name === "email_address_visibility") changeShownAddress(call, user, visibleTo);
  if (name === "timezone" && typeof value === "string") changeTimeZone(call, user, value);
}

/** The language's name in the language itself. */
const languageName = (code: string): string => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** An administrator's bulk change can exclude people who have changed the setting themselves. */
function noteEdited(call: Call, user: User, name: string): void {
  const edited = user.edited_settings ?? [];
  if (!edited.includes(name)) call.ledger.assign(user, { edited_settings: [...edited, name] });
}

function changeTimeZone(call: Call, user: User, timezone: string): void {
  call.ledger.set(user, "timezone", timezone);
  tellPerson(call, user, { email: user.email, timezone });
}

/** From now on the client keeps the drafts; no events are sent. */
function deleteDrafts(call: Call, user: User): void {
  for (const draft of rows(call.state.drafts))
    if (draft.user_id === user.user_id) call.ledger.remove(call.state.drafts, draft.id);
}

/**
 * People who can now see the address get it, and people who no longer can get an event without it. The address that the API shows is the real
 * one if everybody may see it, otherwise a placeholder. If it changes, everybody is notified, also of the picture that depends on it.
 */
function changeShownAddress(call: Call, user: User, before: Json | undefined): void {
  const { state } = call;
  const { user_id, delivery_email } = user;
  const after = addressVisibility(state, user);
  const knows = knowing(state, user);
  for (const isSeen of [true, false])
    tellPerson(
      call,
      user,
      { delivery_email: isSeen ? delivery_email : null },
      (viewer) =>
        seesAddress(after, user, viewer) === isSeen && seesAddress(before, user, viewer) !== isSeen && knows(viewer),
    );
  if (before !== EVERYBODY && after !== EVERYBODY) return;
  const standIn = `user${user_id}@${hostOfHiddenAddresses(state) ?? new URL(call.server.url).hostname}`;
  const email = after === EVERYBODY ? delivery_email : standIn;
  call.ledger.set(user, "email", email);
  tellPerson(call, user, { new_email: email }, knows);
  tellPicture(call, user);
}
