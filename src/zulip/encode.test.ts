import { describe, expect, test } from "vitest";
import type { WireCall } from "../model/journal.ts";
import { checkCall, encodeCall } from "./encode.ts";

function call(operation: string, path: WireCall["path"] = {}, params: WireCall["params"] = {}): WireCall {
  return { operation, path, params };
}

describe("path, query and form", () => {
  test.each<{ name: string; call: WireCall; method: string; path: string; query?: string; form?: string }>([
    {
      name: "PATCH sends a form; words are raw",
      call: call("update-stream", { stream_id: 7 }, { topics_policy: "inherit", is_private: true, folder_id: null }),
      method: "PATCH",
      path: "/api/v1/streams/7",
      form: "topics_policy=inherit&is_private=true&folder_id=null",
    },
    {
      name: "creation sends the same word as JSON",
      call: call("create-channel", {}, { name: "a & b", subscribers: [1, 2], topics_policy: "inherit" }),
      method: "POST",
      path: "/api/v1/channels/create",
      form: "name=a+%26+b&subscribers=%5B1%2C2%5D&topics_policy=%22inherit%22",
    },
    {
      name: "numbers and words in one parameter",
      call: call("update-stream", { stream_id: "7" }, { message_retention_days: "unlimited" }),
      method: "PATCH",
      path: "/api/v1/streams/7",
      form: "message_retention_days=%22unlimited%22",
    },
    {
      name: "DELETE too: proxies drop its body",
      call: call("unsubscribe", {}, { subscriptions: ["a"], principals: [3] }),
      method: "DELETE",
      path: "/api/v1/users/me/subscriptions",
      query: "subscriptions=%5B%22a%22%5D&principals=%5B3%5D",
    },
    {
      name: "slashes in the value of `fragment` stay, the rest is percent-encoded",
      call: call("remove-navigation-view", { fragment: "narrow/is/alerted/a b?#%" }),
      method: "DELETE",
      path: "/api/v1/navigation_views/narrow/is/alerted/a%20b%3F%23%25",
      query: "",
    },
    {
      name: "slashes in other values are encoded",
      call: call("remove-realm-domain", { domain: "a/b.example" }),
      method: "DELETE",
      path: "/api/v1/realm/domains/a%2Fb.example",
      query: "",
    },
    {
      name: "group settings",
      call: call(
        "update-stream",
        { stream_id: 1 },
        { can_subscribe_group: { new: 3, old: { direct_members: [1], direct_subgroups: [] } } },
      ),
      method: "PATCH",
      path: "/api/v1/streams/1",
      form: `can_subscribe_group=${encodeURIComponent('{"new":3,"old":{"direct_members":[1],"direct_subgroups":[]}}')}`,
    },
  ])("$name", ({ call, method, path, query = "", form }) =>
    expect(encodeCall(call)).toEqual({ method, path, query, form }),
  );
});

describe("errors in a call", () => {
  test.each<[name: string, code: string, call: WireCall, fact?: object]>([
    ["unknown operation", "api/unknown-operation", call("update-streem", { stream_id: 1 }), { meant: "update-stream" }],
    [
      "unknown parameter",
      "api/unknown-parameter",
      call("update-stream", { stream_id: 1 }, { descripton: "x" }),
      { meant: "description" },
    ],
    [
      "a name that every object has",
      "api/unknown-parameter",
      call("get-own-user", {}, { toString: "x" }),
      { takes_none: true },
    ],
    ["missing parameter", "api/missing-parameter", call("add-default-stream")],
    ["no id", "api/parameter-type", call("update-stream", { stream_id: "x" })],
    ["unknown path value", "api/unknown-parameter", call("get-own-user", { id: 1 })],
    ["a fraction for an id", "api/parameter-type", call("add-default-stream", {}, { stream_id: 1.5 })],
    [
      "null for a parameter that cannot be null",
      "api/parameter-type",
      call("create-channel", {}, { name: "x", subscribers: [], folder_id: null }),
    ],
    [
      "a word outside the list",
      "api/parameter-type",
      call("update-stream", { stream_id: 1 }, { topics_policy: "none" }),
    ],
    [
      "a bare group where {new} is wanted",
      "api/parameter-type",
      call("update-stream", { stream_id: 1 }, { can_subscribe_group: 3 }),
    ],
    [
      "half an anonymous group",
      "api/parameter-type",
      call("create-channel", {}, { name: "x", subscribers: [], can_subscribe_group: { direct_members: [] } }),
    ],
    [
      "ids and addresses mixed",
      "api/parameter-type",
      call("unsubscribe", {}, { subscriptions: ["a"], principals: [1, "b@example.org"] }),
    ],
    ["NUL", "api/parameter-type", call("update-stream", { stream_id: 1 }, { description: "a\0b" })],
    ["NUL, deep inside", "api/parameter-type", call("subscribe", {}, { subscriptions: [{ name: "a\0" }] })],
    ["half a character", "api/parameter-type", call("update-stream", { stream_id: 1 }, { description: "\ud83c" })],
    ["a domain that leads to a parent directory", "api/parameter-type", call("remove-realm-domain", { domain: ".." })],
    [
      "a fragment that leads to a parent directory",
      "api/parameter-type",
      call("remove-navigation-view", { fragment: "../users/me" }),
    ],
    ["an empty segment", "api/parameter-type", call("remove-realm-domain", { domain: "" })],
    ["a field that only the server sends", "api/not-sent", call("zulip-outgoing-webhooks")],
  ])("%s", (_, code, call, fact) => {
    const found = checkCall(call);
    expect(found.map((diagnostic) => diagnostic.code)).toContain(code);
    if (fact !== undefined)
      expect(found.map((diagnostic) => diagnostic.fact)).toContainEqual(expect.objectContaining(fact));
    expect(() => encodeCall(call)).toThrow(TypeError);
  });

  test("all errors at once", () => {
    const wrong = call("update-stream", {}, { colour: "x", is_private: 1 });
    expect(
      checkCall(wrong)
        .map((diagnostic) => diagnostic.code)
        .sort(),
    ).toEqual(["api/missing-parameter", "api/parameter-type", "api/unknown-parameter"]);
  });
});
