import { readFileSync } from "node:fs";
import { test } from "vitest";
import { planText, shown } from "./support/cases.ts";
import { realmOf } from "./support/realm.ts";

test("try", async () => {
  const yaml = readFileSync("/tmp/p.yaml", "utf8");
  const live = realmOf({
    channels: [{ name: "general" }, { name: "board", invite_only: true, can_subscribe_group: "role:owners" }],
    subscribers: { general: ["dmitri@acme.example"] },
  });
  console.log(shown(await planText(yaml, live), yaml));
});
