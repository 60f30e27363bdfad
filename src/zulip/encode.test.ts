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
      name: "GET has its parameters in the query",
      call: call("get-streams", {}, { include_all: true, exclude_archived: false }),
      method: "GET",
      path: "/api/v1/streams",
      query: "include_all=true&exclude_archived=false",
    },
    {
      name: "DELETE too: proxies drop its body",
      call: call("unsubscribe", {}, { subscriptions: ["a"], principals: [3] }),
      method: "DELETE",
      path: "/api/v1/users/me/subscriptions",
      query: "subscriptions=%5B%22a%22%5D&principals=%5B3%5D",
    },
    {
      name: "a write without parameters has an empty form",
      call: call("deactivate-user-group", { user_group_id: 5 }),
      method: "POST",
      path: "/api/v1/user_groups/5/deactivate",
      form: "",
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
      name: "text stays text, whatever it looks like",
      call: call("update-stream", { stream_id: 1 }, { description: '"null" é 🎉' }),
      method: "PATCH",
      path: "/api/v1/streams/1",
      form: `description=${encodeURIComponent('"null" é 🎉').replaceAll("%20", "+")}`,
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
  test.each<{ name: string; call: WireCall; code: string; fact?: object }>([
    {
      name: "unknown operation",
      call: call("update-streem", { stream_id: 1 }),
      code: "api/unknown-operation",
      fact: { meant: "update-stream" },
    },
    {
      name: "unknown parameter",
      call: call("update-stream", { stream_id: 1 }, { descripton: "x" }),
      code: "api/unknown-parameter",
      fact: { meant: "description" },
    },
    {
      name: "a name that every object has",
      call: call("get-own-user", {}, { toString: "x" }),
      code: "api/unknown-parameter",
      fact: { takes_none: true },
    },
    { name: "missing path value", call: call("update-stream"), code: "api/missing-parameter" },
    { name: "missing parameter", call: call("add-default-stream"), code: "api/missing-parameter" },
    { name: "no id", call: call("update-stream", { stream_id: "x" }), code: "api/parameter-type" },
    { name: "unknown path value", call: call("get-own-user", { id: 1 }), code: "api/unknown-parameter" },
    {
      name: "text for a flag",
      call: call("update-stream", { stream_id: 1 }, { is_private: "true" }),
      code: "api/parameter-type",
    },
    {
      name: "a fraction for an id",
      call: call("add-default-stream", {}, { stream_id: 1.5 }),
      code: "api/parameter-type",
    },
    {
      name: "null for a parameter that cannot be null",
      call: call("create-channel", {}, { name: "x", subscribers: [], folder_id: null }),
      code: "api/parameter-type",
    },
    {
      name: "a word outside the list",
      call: call("update-stream", { stream_id: 1 }, { topics_policy: "none" }),
      code: "api/parameter-type",
    },
    {
      name: "a bare group where {new} is wanted",
      call: call("update-stream", { stream_id: 1 }, { can_subscribe_group: 3 }),
      code: "api/parameter-type",
    },
    {
      name: "{new} where a bare group is wanted",
      call: call("create-channel", {}, { name: "x", subscribers: [], can_subscribe_group: { new: 3 } }),
      code: "api/parameter-type",
    },
    {
      name: "half an anonymous group",
      call: call("create-channel", {}, { name: "x", subscribers: [], can_subscribe_group: { direct_members: [] } }),
      code: "api/parameter-type",
    },
    {
      name: "ids and addresses mixed",
      call: call("unsubscribe", {}, { subscriptions: ["a"], principals: [1, "b@example.org"] }),
      code: "api/parameter-type",
    },
    { name: "NUL", call: call("update-stream", { stream_id: 1 }, { description: "a\0b" }), code: "api/parameter-type" },
    {
      name: "NUL, deep inside",
      call: call("subscribe", {}, { subscriptions: [{ name: "a\0" }] }),
      code: "api/parameter-type",
    },
    {
      name: "half a character",
      call: call("update-stream", { stream_id: 1 }, { description: "\ud83c" }),
      code: "api/parameter-type",
    },
    {
      name: "a domain that leads to a parent directory",
      call: call("remove-realm-domain", { domain: ".." }),
      code: "api/parameter-type",
    },
    {
      name: "a fragment that leads to a parent directory",
      call: call("remove-navigation-view", { fragment: "../users/me" }),
      code: "api/parameter-type",
    },
    { name: "an empty segment", call: call("remove-realm-domain", { domain: "" }), code: "api/parameter-type" },
    { name: "a field that only the server sends", call: call("zulip-outgoing-webhooks"), code: "api/not-sent" },
  ])("$name", ({ call, code, fact }) => {
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
