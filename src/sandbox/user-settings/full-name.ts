import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { codePoints } from "../params.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { tellBotChange } from "../users/bot-events.ts";
import { tellPerson } from "../users/shown.ts";

const MAX_LENGTH = 100;
const FORBIDDEN = /[*`\\>"@\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** In a mention, `name|17` names one of several people. Only the name as sent is checked, including white space. */
const LIKE_A_MENTION = /\|\p{Nd}+\n?$/u;

/** @returns the name in its stored form @throws ApiError with the server's words */
export function checkedFullName(state: RealmState, sent: string, user: User | undefined): string {
  const name = stripped(sent);
  if (codePoints(name) > MAX_LENGTH) throw new ApiError("Name too long!");
  if (name === "") throw new ApiError("Name must not be empty!");
  if (FORBIDDEN.test(name)) throw new ApiError("Invalid characters in name!");
  if (LIKE_A_MENTION.test(sent)) throw new ApiError("Invalid format!");
  if (state.realm.require_unique_names === true) {
    const taken = rows(state.users).some(
      (each) => each.user_id !== user?.user_id && !each.is_system_bot && folded(each.full_name) === folded(name),
    );
    if (taken) throw new ApiError("Unique names required in this organization.");
  }
  return name;
}
/** The name with its case folded; ß becomes ss. */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();

/** Changes somebody's name and notifies everybody. @throws ApiError */
export function changeFullName(call: Call, user: User, sent: string): void {
  const full_name = checkedFullName(call.state, sent, user);
  call.ledger.set(user, "full_name", full_name);
  tellPerson(call, user, { full_name });
  if (user.is_bot) tellBotChange(call, user, { full_name });
}
