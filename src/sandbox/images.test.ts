import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AVIF, GIF, GIF_OF_TWO, JPEG, PNG, WEBP } from "../../test/support/sandbox/images.ts";
import { testRealm } from "../../test/support/sandbox/realm.ts";
import { createSandbox } from "./sandbox.ts";

const UNDECODED = "Could not decode image; did you upload an image file?";
/** A PNG whose header states another size; its checksum is then wrong, which a decoder notices. */
const tampered = `${PNG.slice(0, 19)}\x09${PNG.slice(20)}`;

/** zulip-api.md §12.4, §19: the stated type is checked first, then the bytes, whatever their type. */
test.each<readonly [fact: string, type: string, content: string, msg: string]>([
  ["a PNG", "image/png", PNG, ""],
  ["a GIF", "image/gif", GIF, ""],
  ["an animated GIF", "image/gif", GIF_OF_TWO, ""],
  ["a JPEG", "image/jpeg", JPEG, ""],
  ["a WebP", "image/webp", WEBP, ""],
  ["an AVIF", "image/avif", AVIF, ""],
  ["a PNG that calls itself a GIF", "image/gif", PNG, ""],
  ["a type with parameters", "image/png; charset=x", PNG, ""],
  ["a PNG that calls itself text", "text/plain", PNG, "Invalid image format"],
  ["a TIFF", "image/tiff", PNG, "Invalid image format"],
  ["an SVG", "image/svg+xml", "<svg/>", "Invalid image format"],
  ["bytes of no type", "", PNG, "Invalid image format"],
  ["a type that is a property of every object", "constructor", PNG, "Invalid image format"],
  ["nothing", "image/png", "", UNDECODED],
  ["text", "image/png", "no image", UNDECODED],
  ["a PNG that ends in its header", "image/png", PNG.slice(0, 24), UNDECODED],
  ["a PNG whose header was changed", "image/png", tampered, UNDECODED],
  ["a GIF without a picture", "image/gif", "GIF89a\x01\x00\x01\x00\x00\x00\x00;", UNDECODED],
  ["a GIF without a size", "image/gif", "GIF89a", UNDECODED],
  ["a JPEG without a frame", "image/jpeg", "\xff\xd8\xff\xe0\x00\x04ab", UNDECODED],
  ["a WebP cut off", "image/webp", WEBP.slice(0, 20), UNDECODED],
  ["a GIF with too many pixels", "image/gif", `GIF89a\xff\xff\xff\xff${GIF.slice(10)}`, "Image size exceeds limit."],
])("%s", async (_fact, type, content, msg) => {
  const realm = testRealm();
  const icon = await realm.upload("admin", "/realm/icon", content, { type });
  expect([icon.status, icon.body.msg, icon.body.code]).toEqual(
    msg === "" ? [200, "", undefined] : [400, msg, "BAD_IMAGE"],
  );
  expect((await realm.upload("admin", "/realm/emoji/x", content, { type })).body.msg).toBe(msg);
});

/** The realm's fetch type contains the URLs of pictures; each upload and each removal creates another version. */
async function shown(realm: ReturnType<typeof testRealm>, keys: readonly string[]) {
  const { body } = await realm.call("guest", "POST", "/register", { fetch_event_types: ["realm"] });
  return keys.map((key) => body[key]);
}
const picture = { type: "image/png" };

test("the icon and both logos are uploaded, replaced and removed, and everybody gets an event each time", async () => {
  const realm = testRealm();
  const keys = ["realm_icon_source", "realm_logo_source", "realm_night_logo_source"];
  expect(await shown(realm, keys)).toEqual(["G", "D", "D"]);
  const events = await realm.listen("guest");
  await realm.upload("admin", "/realm/icon", PNG, picture);
  expect((await realm.upload("admin", "/realm/icon", PNG, picture)).body.icon_url).toBe(
    "/user_avatars/2/realm/icon.png?version=3",
  );
  await realm.upload("admin", "/realm/logo", PNG, { ...picture, params: { night: true } });
  expect(await shown(realm, keys)).toEqual(["U", "D", "U"]);
  await realm.call("admin", "DELETE", "/realm/icon");
  await realm.call("admin", "DELETE", "/realm/logo", { night: false });
  await realm.call("admin", "DELETE", "/realm/logo", { night: true });
  expect(await shown(realm, keys)).toEqual(["G", "D", "D"]);
  expect((await events()).map(({ property, data }) => [property, Object(data)[`${property}_source`]])).toEqual([
    ["icon", "U"],
    ["icon", "U"],
    ["night_logo", "U"],
    ["icon", "G"],
    ["logo", "D"],
    ["night_logo", "D"],
  ]);
  expect((await realm.upload("admin", "/realm/icon", PNG, picture)).body.icon_url).toMatch(/version=5$/);
});

test.each<readonly [as: string, path: string, details: object, msg: string]>([
  ["owner", "/realm/logo", { ...picture, params: { night: 1 } }, "night is not a boolean"],
  ["owner", "/realm/logo", { fields: [], params: { night: true } }, "You must upload exactly one logo."],
])("%s at %s: %j", async (as, path, details, msg) => {
  expect((await testRealm().upload(as, path, PNG, details)).body.msg).toBe(msg);
});
test("logos need a paid plan, icons do not", async () => {
  const realm = testRealm(442, { realm_plan_type: 2 });
  const night = { ...picture, params: { night: false } };
  expect((await realm.upload("owner", "/realm/logo", PNG, night)).body.msg).toMatch(/^Available on Zulip Cloud/);
  expect((await realm.upload("owner", "/realm/icon", PNG, picture)).status).toBe(200);
});

test("people can upload and remove their own picture if the organization allows it", async () => {
  const realm = testRealm();
  const events = await realm.listen("guest");
  expect((await realm.upload("member", "/users/me/avatar", PNG, picture)).body.avatar_url).toMatch(/^\/user_avatars/);
  expect((await realm.upload("member", "/users/me/avatar", PNG, { fields: [] })).body.msg).toBe(
    "You must upload exactly one avatar.",
  );
  expect((await realm.call("member", "DELETE", "/users/me/avatar")).body.avatar_url).toMatch(/gravatar/);
  expect((await events()).map(({ person }) => [Object(person).avatar_source, Object(person).avatar_version])).toEqual([
    ["U", 2],
    ["G", 3],
  ]);
  await realm.call("owner", "PATCH", "/realm", { avatar_changes_disabled: true });
  const refused = "Avatar changes are disabled in this organization.";
  expect((await realm.upload("member", "/users/me/avatar", PNG, picture)).body.msg).toBe(refused);
  expect((await realm.call("member", "DELETE", "/users/me/avatar")).body.msg).toBe(refused);
  expect((await realm.call("admin", "DELETE", "/users/me/avatar")).status).toBe(200);
});

test.each([
  ["dot.png", ""],
  ["DOT.PNG", ""],
  ["dot.txt", "Invalid image format"],
  ["dot", "Invalid image format"],
])("a file %s without a type in the request is identified by its name", async (name, msg) => {
  const sandbox = createSandbox({
    from: JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8")),
  });
  const { email, api_key } = sandbox.accounts.owner ?? { email: "", api_key: "" };
  const boundary = `${"-".repeat(30)}part`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`;
  const body = Buffer.from(`${head}${PNG}\r\n--${boundary}--\r\n`, "latin1");
  const headers = {
    authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`,
    "content-type": `multipart/form-data; boundary=${boundary}`,
  };
  const url = "http://localhost/api/v1/realm/emoji/dot";
  const answer = await sandbox.fetch(new Request(url, { method: "POST", headers, body }));
  expect(JSON.parse(await answer.text()).msg).toBe(msg);
});
