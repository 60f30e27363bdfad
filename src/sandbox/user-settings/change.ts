import type { Json } from "../../model/json.ts";
import { type Call, everybody, only } from "../call.ts";
import { rows, type User } from "../state.ts";
import { addressIsVisible, hostOfHiddenAddresses } from "../users/shown.ts";
import { checkStorable } from "./values.ts";

/** Changes one setting of one account, with what follows from it. */
export function changeSetting(call: Call, user: User, name: string, value: Json): void {
  checkStorable(name, value);
  call.ledger.set(user, "settings", { ...user.settings, [name]: value });
  if (user === call.user) noteEdited(call, user, name);
  const language = name === "default_language" ? { language_name: languageName(String(value)) } : {};
  call.emit(only(user.user_id), { type: "user_settings", op: "update", property: name, value, ...language });
  if (name === "enable_drafts_synchronization" && value === false) deleteDrafts(call, user);
  if (name === "email_address_visibility") changeShownAddress(call, user);
  if (name === "timezone" && typeof value === "string") changeTimeZone(call, user, value);
}

/** What speakers call their language. */
const languageName = (code: string): string => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** An administrator's bulk change may leave out people who chose for themselves. */
function noteEdited(call: Call, user: User, name: string): void {
  const edited = user.edited_settings ?? [];
  if (!edited.includes(name)) call.ledger.assign(user, { edited_settings: [...edited, name] });
}

function changeTimeZone(call: Call, user: User, timezone: string): void {
  const { user_id, email } = user;
  call.ledger.set(user, "timezone", timezone);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id, email, timezone } });
}

/** Drafts stay with the client from now on; nobody is told. */
function deleteDrafts(call: Call, user: User): void {
  for (const draft of rows(call.state.drafts))
    if (draft.user_id === user.user_id) call.ledger.remove(call.state.drafts, draft.id);
}

const EVERYBODY_MAY_SEE = 1;

/** The address that the API shows is the real one when everybody may see it, and else stands for it. */
function changeShownAddress(call: Call, user: User): void {
  const { state } = call;
  const { user_id, delivery_email } = user;
  call.emit(everybody, ({ userId }) => {
    const viewer = state.users[userId];
    const isVisible = viewer !== undefined && addressIsVisible(state, user, viewer);
    const person = { user_id, delivery_email: isVisible ? delivery_email : null };
    return { type: "realm_user", op: "update", person };
  });
  const isOpen = user.settings.email_address_visibility === EVERYBODY_MAY_SEE;
  const email = isOpen
    ? delivery_email
    : `user${user_id}@${hostOfHiddenAddresses(state) ?? new URL(call.server.url).hostname}`;
  if (email === user.email) return;
  call.ledger.set(user, "email", email);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id, new_email: email } });
}
