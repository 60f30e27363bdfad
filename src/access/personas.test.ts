import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { type Persona, personaName, roleCalled, roleOf, withPersonas } from "./personas.ts";
import { stateOf } from "./state.ts";

test.each([
  { text: " Role:Guests ", role: "guest" },
  { text: "role:administrators", role: "administrator" },
  { text: "admin", role: "administrator" },
  { text: "role:fullmembers", role: "member" },
  { text: "owners", role: "owner" },
  { text: "grole:uest", role: undefined },
])("$text is the role $role", ({ text, role }) => expect(roleCalled(text)).toBe(role));

test.each([
  { id: 14, role: "guest" },
  { id: 999, role: undefined },
])("the account $id is of the role $role", ({ id, role }) => expect(roleOf(new Realm(realmOf({})), id)).toBe(role));

describe("personas", () => {
  test.each<{ persona: Persona; groups: readonly string[] }>([
    { persona: { role: "owner", groups: [] }, groups: ["role:owners"] },
    { persona: { role: "guest", groups: ["unknown"] }, groups: ["role:everyone"] },
  ])("a $persona.role has an account in the groups of the role and its own", ({ persona, groups }) => {
    const base = realmOf({});
    const { snapshot, ids } = withPersonas(base, [{ role: "guest", groups: ["staff"] }, persona]);
    expect(ids).toEqual([20, 21]);
    const listed = snapshot.user_groups.flatMap(({ name, members }) =>
      members.filter((id) => id === 21).map(() => name),
    );
    expect(listed).toEqual(groups);
    const staff = [6, 7, 8, 9, 10, 20, ...(groups.includes("staff") ? [21] : [])];
    expect(snapshot.user_groups.find(({ name }) => name === "staff")?.members).toEqual(staff);
    const { accounts } = stateOf(new Realm(snapshot));
    expect([accounts.everybody.has(21), accounts.bots.has(21), accounts.members.has(21)]).toEqual([
      true,
      false,
      persona.role !== "guest",
    ]);
    expect(snapshot.users.at(-1)?.role).toBe(ROLE[persona.role]);
    expect(base.users).toHaveLength(snapshot.users.length - 2);
  });

  test("without personas, the reading stays the same", () => {
    const base = realmOf({});
    const { snapshot, ids } = withPersonas(base, []);
    expect([snapshot === base, ids]).toEqual([true, []]);
  });

  test("are called by their role and groups", () => {
    expect(personaName({ role: "member", groups: [] })).toBe("member");
    expect(personaName({ role: "guest", groups: ["staff", "leads"] })).toBe("guest in staff, leads");
  });
});
