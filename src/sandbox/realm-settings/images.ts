import { createHash } from "node:crypto";
import type { JsonObject } from "../../model/json.ts";
import { type Call, everybody, type UploadedFile } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { redirect } from "../errors.ts";
import { checkFileSize, onlyFile, pictureOf } from "../images.ts";
import { bool, json, required } from "../params.ts";
import { checkPlan } from "../plan.ts";
import type { RealmImage } from "../rows/organization.ts";
import type { RealmState } from "../state.ts";

/** The organization's icon, and its logos for the light and the dark theme (zulip-api.md §19). */

const logo = { night: required(json(bool)) };
const which = (night: boolean): RealmImage => (night ? "night_logo" : "logo");

export const realmImageEndpoints = [
  defineEndpoint("POST /realm/icon", {
    who: ["administrator"],
    handler(call) {
      upload(call, "icon", onlyFile(call, "icon"));
      return { icon_url: call.state.realm.icon_url ?? null };
    },
  }),
  defineEndpoint("DELETE /realm/icon", {
    who: ["administrator"],
    handler(call) {
      change(call, "icon", false);
      return { icon_url: call.state.realm.icon_url ?? null };
    },
  }),
  defineEndpoint("GET /realm/icon", {
    handler(call) {
      throw redirect(String(call.state.realm.icon_url));
    },
  }),
  defineEndpoint("POST /realm/logo", {
    who: ["administrator"],
    params: logo,
    handler(call, { night }) {
      checkPlan(call.state);
      upload(call, which(night), onlyFile(call, "logo"));
    },
  }),
  defineEndpoint("DELETE /realm/logo", {
    who: ["administrator"],
    params: logo,
    handler(call, { night }) {
      change(call, which(night), false);
    },
  }),
  defineEndpoint("GET /realm/logo", {
    params: logo,
    handler(call, { night }) {
      throw redirect(String(call.state.realm[`${which(night)}_url`]));
    },
  }),
];

function upload(call: Call, image: RealmImage, file: UploadedFile): void {
  checkFileSize(call, file, image === "icon" ? "icon" : "logo");
  pictureOf(file);
  change(call, image, true);
}

/** Every upload and every removal creates a new version, and everybody is notified. */
function change(call: Call, image: RealmImage, isUploaded: boolean): void {
  const { state, ledger } = call;
  const version = (state.image_versions?.[image] ?? versionIn(state.realm[`${image}_url`])) + 1;
  ledger.set(state, "image_versions", { ...state.image_versions, [image]: version });
  const source = isUploaded ? "U" : image === "icon" ? "G" : "D";
  const url = isUploaded ? `/user_avatars/2/realm/${image}.png?version=${version}` : defaultUrl(call, image);
  const data: JsonObject = { [`${image}_source`]: source, [`${image}_url`]: url };
  for (const [key, value] of Object.entries(data)) ledger.set(state.realm, key, value);
  call.emit(everybody, { type: "realm", op: "update_dict", property: image, data });
}
/** The URLs of uploads contain the version; the first upload is version 2. */
const versionIn = (url: unknown): number => Number(/[?&]version=(\d+)/.exec(String(url))?.[1] ?? 0) || 1;

function defaultUrl({ state, server }: Call, image: RealmImage): string {
  if (image === "icon") return `https://secure.gravatar.com/avatar/${hashOf(state)}?d=identicon`;
  return `${server.url}/static/images/logo/zulip-org-logo.svg?version=0`;
}
/** A hash that identifies the organization; the text that the server hashes is not visible. */
const hashOf = ({ realm }: RealmState): string =>
  createHash("sha256")
    .update(String(realm.string_id ?? realm.name))
    .digest("hex")
    .slice(0, 32);
