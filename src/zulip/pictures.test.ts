import { expect, test } from "vitest";
import { fetchPicture } from "./pictures.ts";
import { type HttpResponse, TransportError } from "./transport.ts";

const bytes = new Uint8Array([1, 2, 3]);
const there: HttpResponse = { status: 200, headers: {}, body: "", bytes };
const OTHERS = ["files.example.org"];

async function fetched(address: string, answer: HttpResponse | TransportError = there, mostBytes = 3) {
  const asked: string[] = [];
  const connection = {
    site: "https://chat.example.org",
    fetchPublic: async (url: string) => {
      asked.push(url);
      return answer;
    },
  };
  return { asked, ...(await fetchPicture(connection, address, { mostBytes, others: OTHERS })) };
}

test.each([
  ["/user_avatars/2/emoji/1.png", "https://chat.example.org/user_avatars/2/emoji/1.png"],
  ["https://chat.example.org/a.png?version=3#x", "https://chat.example.org/a.png?version=3"],
  ["https://files.example.org/a.png", "https://files.example.org/a.png"],
])("%s is fetched", async (address, url) => {
  expect(await fetched(address)).toEqual({ asked: [url], bytes });
});

test.each([
  ["http://127.0.0.1:8080/latest", { why: "elsewhere", host: "127.0.0.1:8080" }],
  ["//internal.example/a.png", { why: "elsewhere", host: "internal.example" }],
  ["http://chat.example.org/a.png", { why: "elsewhere", host: "chat.example.org" }],
  ["http://files.example.org/a.png", { why: "elsewhere", host: "files.example.org" }],
  ["https://files.example.org:8443/a.png", { why: "elsewhere", host: "files.example.org:8443" }],
  ["file:///etc/passwd", { why: "elsewhere", host: "" }],
  ["https://me:secret@chat.example.org/a.png", { why: "no-address" }],
  ["https://", { why: "no-address" }],
  ["", { why: "no-address" }],
])("%s is not fetched", async (address, unfetched) => {
  expect(await fetched(address)).toEqual({ asked: [], unfetched });
});

test.each<[string, HttpResponse | TransportError, object]>([
  ["it redirects elsewhere", { ...there, status: 302 }, { why: "status", status: 302 }],
  ["it does not exist", { ...there, status: 404 }, { why: "status", status: 404 }],
  ["the connection breaks", new TransportError("broken-off", { quoted: "cut" }, false), { why: "no-answer" }],
  [
    "it never ends",
    new TransportError("too-large", { is: "too-large", most_mebibytes: 0 }, false),
    { why: "too-large", most_mebibytes: 0 },
  ],
  ["it is too large", { ...there, bytes: new Uint8Array(4) }, { why: "too-large", most_mebibytes: 0 }],
])("%s", async (_, answer, unfetched) => {
  expect(await fetched("/a.png", answer)).toEqual({ asked: ["https://chat.example.org/a.png"], unfetched });
});
