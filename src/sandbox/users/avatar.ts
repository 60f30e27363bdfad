import { randomBytes } from "node:crypto";
import { isAdmin } from "../access.ts";
import type { Call, UploadedFile } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { checkFileSize, gravatarOf, onlyFile, pictureOf } from "../images.ts";
import type { User } from "../rows/accounts.ts";
import { shownPicture, tellPerson } from "./shown.ts";
import { tellBotChange } from "./shown-bots.ts";

/** Pictures of people and bots: uploaded ones, or those that Gravatar has for the address. */

/** The URL of an uploaded picture. */
export const newPictureUrl = (): string => `/user_avatars/2/${randomBytes(20).toString("hex")}.png`;
/** The URL of the same picture in a larger size. */
export const mediumUrl = (url: string | null): string | null =>
  url?.startsWith("/user_avatars/") === true
    ? url.replace(/\.png/, "-medium.png")
    : (url?.replace("?d=identicon", "?d=identicon&s=500") ?? null);

/** @param file null: use Gravatar again @throws ApiError BAD_IMAGE */
export function changePicture(call: Call, user: User, file: UploadedFile | null): void {
  if (file !== null) pictureOf(file);
  const avatar_version = user.avatar_version + 1;
  const avatar_source = file === null ? "G" : "U";
  const avatar_url = file === null ? gravatarOf(user.delivery_email, avatar_version) : newPictureUrl();
  call.ledger.assign(user, { avatar_source, avatar_url, avatar_version });
  tellPicture(call, user);
}

export function tellPicture(call: Call, user: User): void {
  const { avatar_source, avatar_version } = user;
  const avatar_url = shownPicture(call.state, user, false);
  if (user.is_bot) tellBotChange(call, user, { avatar_url });
  tellPerson(call, user, { avatar_source, avatar_url, avatar_url_medium: mediumUrl(avatar_url), avatar_version });
}

/** @throws ApiError if only administrators may change pictures */
function checkMayChange({ state, user }: Call): void {
  if (state.realm.avatar_changes_disabled === true && !isAdmin(user))
    throw new ApiError("Avatar changes are disabled in this organization.");
}

/** The caller's own picture. */
export const avatarEndpoints = [
  defineEndpoint("POST /users/me/avatar", {
    handler(call) {
      const file = onlyFile(call, "avatar");
      checkMayChange(call);
      checkFileSize(call, file, "avatar");
      changePicture(call, call.user, file);
      return { avatar_url: call.user.avatar_url };
    },
  }),
  defineEndpoint("DELETE /users/me/avatar", {
    handler(call) {
      checkMayChange(call);
      changePicture(call, call.user, null);
      return { avatar_url: call.user.avatar_url };
    },
  }),
];
