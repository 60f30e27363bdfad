import { expect, test } from "vitest";
import { adoptionBody } from "./adoption.ts";

test("the pull request that adopts names the protections that a new name ends", () => {
  const of = { url: "https://acme.example.org", file: "realm.yaml" };
  const lost = { pattern: "channel:room", name: "room", to: "lobby" };
  const text = adoptionBody(of, { taken: [], left: [], unprotected: [lost, { ...lost, file: "guards.yaml" }] }, 10_000);
  const body = text.replaceAll("&#58;", ":");
  expect(body).toContain("- <code>lobby</code>, which was <code>room</code>: <code>channel:room</code>\n");
  expect(body).toContain("<code>channel:room</code> in <code>guards.yaml</code>");
  expect(adoptionBody(of, { taken: [], left: [], unprotected: [] }, 10_000)).not.toContain("No longer protected");
});
