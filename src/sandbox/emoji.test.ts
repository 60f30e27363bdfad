import { expect, test } from "vitest";
import { GIF_OF_TWO, PNG } from "../../test/support/sandbox/images.ts";
import { testRealm } from "../../test/support/sandbox/realm.ts";

const PICTURE = { type: "image/png" };

/** The facts of zulip-api.md §12.4. */
test.each([
  ["member", "green_tick", PNG, 200, ""],
  ["member", "green%20tick-2", PNG, 200, ""],
  ["member", "taken", PNG, 400, "A custom emoji with this name already exists."],
  ["member", "green_", PNG, 400, "Emoji names must end with either a letter or digit."],
  [
    "member",
    "Green",
    PNG,
    400,
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
  ],
  ["admin", "smile", PNG, 200, ""],
  ["member", "text", "no picture", 400, "Could not decode image; did you upload an image file?"],
  ["member", "zulip", PNG, 200, ""],
  ["guest", "x", PNG, 400, "Not allowed for guest users"],
  ["bot", "x", PNG, 400, "This endpoint does not accept bot requests."],
])("%s uploads %s: %j", async (as, name, content, status, msg) => {
  const realm = testRealm();
  await realm.upload("owner", "/realm/emoji/taken", PNG, PICTURE);
  expect(await realm.upload(as, `/realm/emoji/${name}`, content, PICTURE)).toMatchObject({ status, body: { msg } });
});

test.each([
  ["member", "our_tick", 200, ""],
  ["admin", "our_tick", 200, ""],
  ["member2", "our_tick", 400, "Must be an organization administrator or emoji author"],
  ["owner", "none", 404, "Emoji 'none' does not exist"],
])("%s removes %s: %i %s", async (as, name, status, msg) => {
  const realm = testRealm();
  await realm.upload("member", "/realm/emoji/our_tick", PNG, PICTURE);
  expect(await realm.call(as, "DELETE", `/realm/emoji/${name}`)).toMatchObject({ status, body: { msg } });
});

test("a removed emoji is still listed, and its name is available", async () => {
  const realm = testRealm();
  await realm.upload("member", "/realm/emoji/our_tick", PNG, PICTURE);
  await realm.call("member", "DELETE", "/realm/emoji/our_tick");
  expect((await realm.upload("member", "/realm/emoji/our_tick", PNG, PICTURE)).status).toBe(200);
  expect((await realm.call("guest", "GET", "/realm/emoji")).body.emoji).toMatchObject({
    1: { name: "our_tick", deactivated: true, author_id: realm.id("member") },
    2: { name: "our_tick", deactivated: false },
  });
});
test("nobody can upload without the right, or without a file", async () => {
  const realm = testRealm();
  expect((await realm.call("member", "POST", "/realm/emoji/x")).body.msg).toBe("You must upload exactly one file.");
  await realm.call("owner", "PATCH", "/realm", { can_add_custom_emoji_group: { new: realm.group("role:nobody") } });
  expect((await realm.upload("owner", "/realm/emoji/x", PNG, PICTURE)).body.msg).toBe("Insufficient permission");
});

test("an animated emoji also has a still picture, and the name of the file does not matter", async () => {
  const realm = testRealm();
  await realm.upload("member", "/realm/emoji/blink", GIF_OF_TWO, { type: "image/gif", name: "x.txt" });
  await realm.upload("member", "/realm/emoji/still", PNG, PICTURE);
  const { emoji } = (await realm.call("member", "GET", "/realm/emoji")).body;
  expect(Object(emoji)).toMatchObject({ 1: { still_url: expect.stringContaining("still") }, 2: { still_url: null } });
});
