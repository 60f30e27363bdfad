import { describe, expect, test } from "vitest";
import { OPERATIONS, operationNamed } from "./operations.ts";

describe("every operation of the service's description is in the table", () => {
  test.each([
    { n: 1, name: "update-message", route: "PATCH /messages/{message_id}" },
    { n: 2, name: "update-settings", route: "PATCH /settings" },
    { n: 3, name: "update-stream", route: "PATCH /streams/{stream_id}" },
    { n: 4, name: "update-scheduled-message", route: "PATCH /scheduled_messages/{scheduled_message_id}" },
    { n: 5, name: "create-channel", route: "POST /channels/create" },
    { n: 6, name: "send-invites", route: "POST /invites" },
    { n: 7, name: "unsubscribe", route: "DELETE /users/me/subscriptions" },
    { n: 8, name: "update-status", route: "POST /users/me/status" },
    { n: 9, name: "edit-draft", route: "PATCH /drafts/{draft_id}" },
    { n: 10, name: "update-profile-data", route: "PATCH /users/me/profile_data" },
    { n: 11, name: "mark-topic-as-read", route: "POST /mark_topic_as_read" },
    { n: 12, name: "get-streams", route: "GET /streams" },
    { n: 13, name: "update-linkifier", route: "PATCH /realm/filters/{filter_id}" },
    { n: 14, name: "set-typing-status-for-message-edit", route: "POST /messages/{message_id}/typing" },
    { n: 15, name: "edit-navigation-view", route: "PATCH /navigation_views/{fragment}" },
    { n: 16, name: "update-realm-domain", route: "PATCH /realm/domains/{domain}" },
    { n: 17, name: "create-message-reminder", route: "POST /reminders" },
    { n: 18, name: "get-is-user-group-member", route: "GET /user_groups/{user_group_id}/members/{user_id}" },
    { n: 19, name: "get-own-user", route: "GET /users/me" },
    { n: 20, name: "remove-attachment", route: "DELETE /attachments/{attachment_id}" },
    { n: 21, name: "zulip-outgoing-webhooks", route: "POST /service-outgoing-webhook" },
    { n: 22, name: "e2ee-test-notify", route: "POST /mobile_push/e2ee/test_notification" },
  ])("$n $name", ({ name, route }) => {
    const { method, template } = operationNamed(name);
    expect(`${method} ${template}`).toBe(route);
  });
});

describe("encodings that are surprising", () => {
  test.each([
    { operation: "update-stream", param: "topics_policy", encoding: "raw" },
    { operation: "update-realm", param: "topics_policy", encoding: "raw" },
    { operation: "create-channel", param: "topics_policy", encoding: "json" },
    { operation: "subscribe", param: "topics_policy", encoding: "json" },
    { operation: "update-stream", param: "message_retention_days", encoding: "json" },
    { operation: "create-channel", param: "message_retention_days", encoding: "json" },
    { operation: "update-realm", param: "message_retention_days", encoding: "json" },
    { operation: "update-realm", param: "message_content_edit_limit_seconds", encoding: "json" },
    { operation: "update-realm", param: "jitsi_server_url", encoding: "json" },
    { operation: "update-realm", param: "message_edit_history_visibility_policy", encoding: "raw" },
    { operation: "update-stream", param: "description", encoding: "raw" },
    { operation: "update-stream", param: "new_name", encoding: "raw" },
    { operation: "send-invites", param: "invitee_emails", encoding: "raw" },
    { operation: "send-invites", param: "welcome_message_custom_text", encoding: "raw" },
    { operation: "send-invites", param: "stream_ids", encoding: "json" },
    { operation: "register-queue", param: "include_subscribers", encoding: "raw" },
    { operation: "delete-queue", param: "queue_id", encoding: "raw" },
    { operation: "update-linkifier", param: "alternative_url_templates", encoding: "json" },
    { operation: "create-custom-profile-field", param: "hint", encoding: "raw" },
  ])("$operation $param is $encoding", ({ operation, param, encoding }) => {
    expect(operationNamed(operation).params[param]?.encoding).toBe(encoding);
  });
});

describe("required parameters", () => {
  test.each([
    { operation: "update-linkifier", required: ["pattern", "url_template"] },
    { operation: "create-channel", required: ["name", "subscribers"] },
    { operation: "create-user-group", required: ["name", "description", "members"] },
    { operation: "create-channel-folder", required: ["name", "description"] },
    { operation: "send-invites", required: ["invitee_emails", "stream_ids"] },
    { operation: "create-invite-link", required: [] },
    { operation: "update-stream", required: [] },
    { operation: "update-realm-domain", required: ["allow_subdomains"] },
  ])("$operation: $required", ({ operation, required }) => {
    const { params } = operationNamed(operation);
    expect(Object.keys(params).filter((name) => params[name]?.required)).toEqual(required);
  });
});

test.each(OPERATIONS.map((operation) => ({ name: operation.name, operation })))(
  "$name is complete: its path values are those of its template, and nothing overrides the method",
  ({ operation }) => {
    const inTemplate = [...operation.template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(operation.path)).toEqual(inTemplate);
    expect(Object.keys(operation.params)).not.toContain("method");
    for (const name of Object.keys(operation.path)) expect(Object.keys(operation.params)).not.toContain(name);
    expect(operation.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(operation.about.length).toBeGreaterThan(10);
    expect(operation.repeat === "read").toBe(operation.method === "GET" || operation.name === "register-queue");
    expect(operation.recovery).not.toBe("");
  },
);

test("no two operations have the same name or route", () => {
  const names = OPERATIONS.map((operation) => operation.name);
  const routes = OPERATIONS.map((operation) => `${operation.method} ${operation.template}`);
  expect(new Set(names).size).toBe(names.length);
  // GET /users/{user_id} and GET /users/{email} differ in the type of the path value.
  expect(new Set(routes).size).toBe(routes.length);
});
