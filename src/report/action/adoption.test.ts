import { expect, test } from "vitest";
import { adoptionBody } from "./adoption.ts";

test("the pull request that adopts names the protections that a new name ends", () => {
  const of = { url: "https://acme.example.org", file: "realm.yaml" };
  const lost = { pattern: "channel:room", name: "room", to: "lobby" };
  const text = adoptionBody(
    of,
    { taken: [], left: [], unprotected: [lost, { ...lost, file: "guards.yaml" }], shared: [] },
    10_000,
  );
  expect(text).toContain("- `lobby`, which was `room`: `channel:room`\n");
  expect(text).toContain("`channel:room` in `guards.yaml`");
  expect(adoptionBody(of, { taken: [], left: [], unprotected: [], shared: [] }, 10_000)).not.toContain(
    "No longer protected",
  );
});
