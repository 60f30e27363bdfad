import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The whole source of src/kinds without tests: everything that a kind can request is named in it. */
export function sourcesOfKinds(isWanted: (kind: string) => boolean = () => true): string {
  return readdirSync("src/kinds", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => !name.includes("/") || isWanted((name.split("/")[0] ?? "").replaceAll("-", "_")))
    .map((name) => readFileSync(join("src/kinds", name), "utf8"))
    .join("\n");
}
