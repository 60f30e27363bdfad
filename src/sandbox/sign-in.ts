import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { required, text } from "./params.ts";
import { accountWithAddress } from "./users/by-address.ts";

const refused = (code: string, message: string): ApiError => new ApiError(message, { status: 401, code });

/** Signing in with a password: here, everybody's password is their API key, which nobody can guess. */
export const signInEndpoints = [
  defineEndpoint("POST /fetch_api_key", {
    who: "anybody",
    plain405: true,
    params: { username: required(text()), password: required(text()) },
    handler({ state, server }, { username, password }) {
      if (state.realm.email_auth_enabled === false)
        throw refused("PASSWORD_AUTH_DISABLED", "Password authentication is disabled in this organization");
      const user = accountWithAddress(state, username);
      if (user === undefined || user.is_bot || user.is_system_bot || password !== server.keyOf(user.user_id))
        throw refused("AUTHENTICATION_FAILED", "Your username or password is incorrect");
      if (!user.is_active) throw refused("USER_DEACTIVATED", "Account is deactivated");
      return { api_key: password, email: user.delivery_email, user_id: user.user_id };
    },
  }),
];
