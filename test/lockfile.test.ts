import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
const lockfile = Lockfile.parse(JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")));
const packages = Object.entries(lockfile.packages).filter(([path]) => path !== "");

test("every package in the lockfile has a checksum, even packages for other systems", () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
});

test("every package in the site's lockfile has one, and neither lockfile names a registry", () => {
  const own = readFileSync(new URL("../site/package-lock.json", import.meta.url), "utf8");
  const { packages: site } = Lockfile.parse(JSON.parse(own));
  const bound = Object.entries(site).filter(([path]) => path !== "");
  expect(bound.length).toBeGreaterThan(50);
  expect(bound.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
  expect(own).not.toContain('"resolved"');
  // `npm ci` refuses a lockfile without them, even on systems that do not need them.
  const optional = bound.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
  expect(optional.filter((name) => site[`node_modules/${name}`] === undefined)).toEqual([]);
});

test("every dependency in package.json has one exact version", () => {
  const Manifest = z.object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const manifest = Manifest.parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")));
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
