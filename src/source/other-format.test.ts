import { expect, test } from "vitest";
import { loadDocument } from "./load.ts";

const found = async (content: string): Promise<readonly string[]> => {
  const result = await loadDocument({ file: "realm.yaml", readFile: async () => content });
  const diagnostics = result.ok ? result.warnings : result.diagnostics;
  return diagnostics.map(
    ({ code, fact, at }) => `${code} ${"format" in fact ? String(fact.format) : ""} ${at?.line}:${at?.column}`,
  );
};

/** What people give for a file, and what is said: once, at the line that shows it. */
test.each([
  ["```yaml\nversion: 1\n```\n", "fence 1:1"],
  ["```\nversion: 1\n```\n", "fence 1:1"],
  ["~~~ yaml\nversion: 1\n~~~\n", "fence 1:1"],
  ["Here it is:\n\n```yaml\nversion: 1\n```\n", "fence 3:1"],
  ["version: 1\nchannels:\n  a: {}\n```\n", "fence 4:1"],
  ["<!DOCTYPE html>\n<html><body>a: b</body></html>\n", "html 1:1"],
  ["\n<html>\n</html>\n", "html 2:1"],
  ['<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>\n', "html 1:1"],
  ["[api]\nemail=a@example.org\nkey=0\n", "zuliprc 1:1"],
  ["# mine\n[api]\nkey=0\n", "zuliprc 2:1"],
  ["version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "lfs 1:1"],
  ["--- a/realm.yaml\n+++ b/realm.yaml\n@@ -1 +1 @@\n-a: 1\n", "diff 1:1"],
  ["diff --git a/x b/x\n--- a/x\n+++ b/x\n", "diff 1:1"],
  ['resource "zulip_channel" "a" {\n  name = "a"\n}\n', "terraform 1:1"],
  ["terraform {\n}\n", "terraform 1:1"],
  ["$ cat realm.yaml\nversion: 1\n", "terminal 1:1"],
  ['// ours\n{"version": 1}\n', "slashes 1:1"],
  ["ZULIP_SITE=https://chat.example.org\nZULIP_EMAIL=a@example.org\n", "environment 1:1"],
  ["export ZULIP_SITE=https://chat.example.org\n", "environment 1:1"],
  ['version = 1\n[channels.a]\ndescription = "x"\n', "toml 1:1"],
  ['[channels.a]\ndescription = "x"\n', "toml 1:1"],
  ["name,description,privacy\ngeneral,Talk,public\n", "csv 1:1"],
  ["name;description\ngeneral;Talk\n", "csv 1:1"],
  ["export default {\n  version: 1,\n};\n", "program 1:1"],
  ["#!/bin/sh\nset -e\necho x\n", "program 1:1"],
  ["import zulip\nclient = zulip.Client()\n", "program 1:1"],
  ["package realm.removals\n\nimport rego.v1\n\ndeny contains msg if {\n", "rego 1:1"],
  ["# METADATA\npackage terraform\n\ndefault allow = false\n", "rego 2:1"],
  ["package main\n\nfunc main() {}\n", "program 1:1"],
  ["-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "key 1:1"],
  ["1  version: 1\n2  channels:\n3    eng: {}\n", "line-numbers 1:1"],
  ["3 │ channels:\n4 │   eng: {}\n", "line-numbers 1:1"],
  ["1: version: 1\n2: channels: {}\n", "line-numbers 1:1"],
  ["version: 1\n+channels:\n+  eng: {}\n", "added-lines 2:1"],
  ["> version: 1\n> channels: {}\n", "quoted-lines 1:1"],
  ["| name | privacy |\n|------|---------|\n| eng | public |\n", "markdown 1:1"],
])("%j: %s", async (content, expected) => expect(await found(content)).toEqual([`yaml/other-format ${expected}`]));

test.each([
  // A fence in a text is indented, and what is YAML is never taken for something else.
  ["version: 1\nchannels:\n  a:\n    description: |\n      ```\n      x = 1\n      ```\n", []],
  ["version: 1\n# ```\n# <html>\nchannels: {}\n", []],
  ["version: 1\nchannels: {a: {description: 'b}}\n", ["yaml/syntax  2:29"]],
  ["channels\n", ["yaml/not-a-map  1:1"]],
  ["channels, people\n", ["yaml/not-a-map  1:1"]],
  ["version: 1\nchannels:\n  a: {description: |\n", ["yaml/syntax  3:20"]],
])("%j is no other format", async (content, expected) => expect(await found(content)).toEqual(expected));

test.each([
  ["version: 1\nchannels: {“a”: {}}\n", "2:12"],
  ["version: 1\nchannels:\n  “a”: {}\n", "3:3"],
  ["version: 1\nchannels:\n  a: {description: ‘x’}\n", "3:20"],
  ["version: 1\ndefault_channels:\n  - „a“\n", "3:5"],
])("typographic quotes of %j", async (content, at) =>
  expect(await found(content)).toEqual([`yaml/typographic-quotes  ${at}`]),
);

test.each([
  'version: 1\nchannels:\n  a: {description: "“x”"}\n',
  "version: 1\nchannels:\n  a: {description: he said “x” to us}\n",
  "version: 1\n# a: “x”\nchannels: {}\n",
  "version: 1\nchannels:\n  a:\n    description: |\n      “x”\n",
])("typographic quotes within a text are its own: %j", async (content) => expect(await found(content)).toEqual([]));
