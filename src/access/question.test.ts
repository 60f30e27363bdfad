import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import { channelCalled, peopleAlsoCalled, type Question, questionOf } from "./question.ts";
import { stateOf } from "./state.ts";

/** Two are called Elif Arslan, two like an address; Jana, who is deactivated, has the full name of Dmitri. */
const NAMES = new Map([
  [9, "Dmitri Petrov"],
  [10, "Elif Arslan"],
  [11, "Elif Arslan"],
  [12, "kim@home"],
  [13, "kim@home"],
  [15, "Dmitri Petrov"],
  [16, " Kofi  Boateng"],
]);
const realm = () => {
  const snapshot = realmOf({
    channels: [{ name: "Hall" }, { name: "staff" }, { name: "two\nlines" }],
    user_groups: ["staff", "leads", "a*b"].map((name) => ({ name })),
  });
  const users = snapshot.users.map((user) => ({ ...user, full_name: NAMES.get(user.user_id) ?? `${user.user_id}` }));
  return new Realm({ ...snapshot, users });
};
const ask = (text: string): Question => {
  const read = realm();
  return questionOf(text, read, stateOf(read));
};
/** A question in a few words. */
function words(question: Question): unknown {
  if (question.about === "account") return question.id;
  if (question.about === "several") return question.ways;
  if (question.about === "nothing") return { no: question.what, meant: question.meant };
  return question.target === "organization" ? "organization" : `${question.target.kind} ${question.target.name}`;
}

describe("a question is about", () => {
  test.each<{ text: string; about: unknown }>([
    { text: "organization", about: "organization" },
    { text: " The Organization ", about: "organization" },
    { text: "my organization", about: { no: "object", meant: "organization" } },
    { text: "organization chart", about: { no: "object", meant: "organization" } },
    { text: "#Hall", about: "channel Hall" },
    { text: "channel:hall", about: "channel Hall" },
    { text: "#two\nlines", about: "channel two\nlines" },
    { text: "#hal", about: { no: "object", meant: "#Hall" } },
    { text: "#nothing-like-it", about: { no: "object", meant: undefined } },
    { text: "a #Hall", about: { no: "object", meant: undefined } },
    { text: "@staff", about: "user_group staff" },
    { text: "@*staff*", about: "user_group staff" },
    { text: "@*a*b*", about: "user_group a*b" },
    { text: "user_group:leads", about: "user_group leads" },
    { text: "group:leads", about: "user_group leads" },
    { text: "@lead", about: { no: "object", meant: "user_group:leads" } },
    { text: "leads", about: "user_group leads" },
    { text: "hall", about: "channel Hall" },
    { text: "staff", about: ["#staff", "user_group:staff"] },
    { text: "elif@acme.example", about: 10 },
    { text: "ELIF@acme.example", about: 10 },
    { text: "user:10", about: 10 },
    { text: "user:999", about: { no: "account", meant: undefined } },
    { text: "user:10x", about: { no: "object", meant: undefined } },
    { text: "kim@home", about: ["gustavo@acme.example", "hana@acme.example"] },
    { text: "KIM@HOM", about: { no: "account", meant: undefined } },
    { text: "ELIF@ACME.EXAMPEL", about: { no: "account", meant: "elif@acme.example" } },
    { text: "my user:10", about: { no: "object", meant: undefined } },
    { text: "elif@acme.exampel", about: { no: "account", meant: "elif@acme.example" } },
    { text: "dmitri petrov", about: 9 },
    { text: "9", about: 9 },
    { text: "petrov", about: { no: "object", meant: "dmitri@acme.example" } },
    { text: "pertov", about: { no: "object", meant: "dmitri@acme.example" } },
    { text: "arslan", about: ["elif@acme.example", "farah@acme.example"] },
    { text: "Dmitri Pertov", about: { no: "object", meant: "Dmitri Petrov" } },
    { text: "Elif Arslan", about: ["elif@acme.example", "farah@acme.example"] },
    { text: "laeds", about: { no: "object", meant: "user_group:leads" } },
    { text: "hlal", about: { no: "object", meant: "#Hall" } },
  ])("$text", ({ text, about }) => expect(words(ask(text))).toEqual(about));
});

test.each<{ text: string; people: readonly string[] }>([
  { text: " ELIF ", people: ["elif@acme.example", "farah@acme.example"] },
  { text: "arslan", people: ["elif@acme.example", "farah@acme.example"] },
  { text: "farah", people: ["farah@acme.example"] },
  { text: "jana", people: [] },
  { text: "", people: [] },
  { text: "boateng", people: ["kofi@acme.example"] },
  { text: "acme", people: [] },
])("active people whose name contains $text", ({ text, people }) =>
  expect(peopleAlsoCalled(realm(), text)).toEqual(people),
);

test.each([
  { name: "Hall", found: "Hall" },
  { name: "hALL", found: "Hall" },
  { name: "halls", found: undefined },
])("a channel called $name is $found", ({ name, found }) =>
  expect(channelCalled(name, stateOf(realm()))?.name).toBe(found),
);

test("an exact match of a channel's name comes before a match in another case", () => {
  const read = new Realm(realmOf({ channels: [{ name: "HALL" }, { name: "Hall" }] }));
  expect(channelCalled("Hall", stateOf(read))?.name).toBe("Hall");
});
