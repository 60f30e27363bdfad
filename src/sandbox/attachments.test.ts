import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 20, detached uploads of operation 1, and zulip-api.md §16.17: one row per fact. */

async function files(realm: TestRealm, as: string): Promise<readonly { readonly [key: string]: unknown }[]> {
  const { body } = await realm.call(as, "GET", "/attachments");
  return Array.isArray(body.attachments) ? body.attachments : [];
}
async function upload(realm: TestRealm, as: string): Promise<{ readonly url: string; readonly id: number }> {
  const { body } = await realm.upload(as, "/user_uploads", "text");
  return { url: String(body.url), id: Number((await files(realm, as)).at(-1)?.id) };
}
const post = async (realm: TestRealm, as: string, content: string): Promise<number> =>
  Number((await realm.call(as, "POST", "/messages", { type: "channel", to: 3, topic: "t", content })).body.id);

test("a request without a file is refused", async () => {
  const { body } = await testRealm().call("member", "POST", "/user_uploads");
  expect(body.msg).toBe("You must specify a file to upload");
});

test.each([
  ["a server of one's own", 1, "File is larger than this server's configured maximum upload size (1 MiB)."],
  ["a plan", 2, "File is larger than the maximum upload size (1 MiB) allowed by your organization's plan."],
])("%s limits the size of files", async (_fact, realm_plan_type, msg) => {
  const realm = testRealm(442, { max_file_upload_size_mib: 1, realm_plan_type });
  const mebibyte = "x".repeat(1024 * 1024);
  expect((await realm.upload("member", "/user_uploads", mebibyte)).status).toBe(200);
  expect((await realm.upload("member", "/user_uploads", `${mebibyte}x`)).body.msg).toBe(msg);
});

test.each([
  [442, 1000, { messages: [] }],
  [443, 1, { messages: [] }],
  [472, 1, { message_ids: [] }],
])("level %i shows times and messages its own way", async (level, factor, shown) => {
  const realm = testRealm(level);
  await upload(realm, "member");
  const [file] = await files(realm, "member");
  expect(file).toMatchObject({ ...shown, create_time: realm.now() * factor });
  expect(Object.keys(file ?? {})).not.toContain("messages" in shown ? "message_ids" : "messages");
});

test.each([
  ["its last link is removed", (url: string) => [`[a](${url})`, "none"], 1],
  ["a link stays", (url: string) => [`[a](${url})`, `still [a](${url})`], 0],
  ["a link stays in a quote", (url: string) => [`[a](${url})`, `> [a](${url})`], 0],
  ["a link stays as an address", (url: string) => [`[a](${url})`, `REALM${url}?x#y`], 0],
  ["a link stays without its first slash", (url: string) => [`[a](${url})`, `[a](${url.slice(1)})`], 0],
  ["only its path stays, which is not a link", (url: string) => [`[a](${url})`, url], 1],
  ["the link leads elsewhere now", (url: string) => [`[a](${url})`, `[a](https://elsewhere.example${url})`], 1],
  ["the link was in code", (url: string) => [`\`[a](${url})\``, "none"], 0],
])("an upload is detached when %s", async (_fact, texts, count) => {
  const realm = testRealm();
  const { url } = await upload(realm, "member");
  const server = String((await realm.call("member", "GET", "/server_settings")).body.realm_url);
  const [first = "", second = ""] = texts(url).map((text) => text.replace("REALM", server));
  const id = await post(realm, "member", first);
  const { body } = await realm.call("member", "PATCH", `/messages/${id}`, { content: second });
  expect(body.detached_uploads).toHaveLength(count);
});

test("unknown parameters of uploads, lists and removals are not reported", async () => {
  const realm = testRealm();
  const { id } = await upload(realm, "member");
  for (const [method, path] of [
    ["GET", "/attachments"],
    ["DELETE", `/attachments/${id}`],
  ] as const)
    expect((await realm.call("member", method, path, { x: 1 })).body).not.toHaveProperty(
      "ignored_parameters_unsupported",
    );
});

test("a temporary URL for a file", async () => {
  const realm = testRealm();
  const { url } = await upload(realm, "member");
  const { body } = await realm.call("member", "GET", url);
  expect(body.url).toMatch(/^\/user_uploads\/temporary\/[^/]+\/file$/);
});

test("a link by somebody who cannot see a file does not claim it", async () => {
  const realm = testRealm();
  const { url } = await upload(realm, "member");
  await post(realm, "member2", `[a](${url})`);
  expect((await files(realm, "member"))[0]?.messages).toEqual([]);
  const shared = await post(realm, "member", `[a](${url})`);
  const again = await post(realm, "member2", `[a](${url})`);
  expect((await files(realm, "member"))[0]?.messages).toMatchObject([{ id: shared }, { id: again }]);
});

test("a file is deleted with the last message that links to it", async () => {
  const realm = testRealm();
  const { url } = await upload(realm, "member");
  const ids = [await post(realm, "member", `[a](${url})`), await post(realm, "member", `[a](${url})`)];
  const counts: number[] = [];
  for (const id of ids) {
    await realm.call("member", "DELETE", `/messages/${id}`);
    counts.push((await files(realm, "member")).length);
  }
  expect(counts).toEqual([1, 0]);
});

test("the uploader gets an event about each change", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  const { url, id } = await upload(realm, "member");
  await post(realm, "member", `[a](${url})`);
  await realm.call("member", "DELETE", `/attachments/${id}`);
  const received = (await events()).filter(({ type }) => type === "attachment");
  expect(received.map(({ op, upload_space_used }) => [op, upload_space_used])).toEqual([
    ["add", 4],
    ["update", 4],
    ["remove", 0],
  ]);
});

test.each([
  ["two words.txt", "two-words.txt"],
  ["a - b.txt", "a-b.txt"],
  ["Ünï_1.txt", "Ünï_1.txt"],
  ["a/b.txt", "b.txt"],
  ["(?!)", "uploaded-file"],
])("%s is %s in an address", async (name, safe) => {
  const { body } = await testRealm().upload("member", "/user_uploads", "text", { name });
  expect(body.url).toMatch(new RegExp(`^/user_uploads/2/[0-9a-f]{2}/[^/]+/${safe}$`));
});
