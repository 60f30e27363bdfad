import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";

const NEAT = "version: 1\nchannels:\n  general: {description: Talk} # all\n";
const UNTIDY = "version:  1\nchannels:\n    general: { description: Talk }   # all\n";
const run = (line: string) =>
  runCommandLine(line.split(" "), { files: { "realm.yaml": UNTIDY, "neat.yaml": NEAT, "bad.yaml": "a: [1\n" } });

test.each([
  { line: "fmt", exitCode: 0, out: "realm.yaml\n", text: NEAT },
  { line: "fmt neat.yaml", exitCode: 0, out: "", text: UNTIDY },
  { line: "fmt --check", exitCode: 1, out: "realm.yaml\n", text: UNTIDY },
  { line: "fmt --check neat.yaml realm.yaml", exitCode: 1, out: "realm.yaml\n", text: UNTIDY },
  { line: "fmt --check neat.yaml", exitCode: 0, out: "", text: UNTIDY },
  { line: "fmt missing.yaml", exitCode: 1, out: "", text: UNTIDY },
])("$line", async ({ line, exitCode, out, text }) => {
  const ran = await run(line);
  expect({ exitCode: ran.exitCode, out: ran.out }).toEqual({ exitCode, out });
  expect(ran.files["realm.yaml"]).toBe(text);
});

test.each([
  { what: "bytes that are not UTF-8", text: "version: 1\nchannels:\n  caf\ufffd:   {}\n", code: "yaml/encoding" },
  { what: "a control character", text: "version:   1 # \u0007\n", code: "yaml/control-character" },
])("$what: nothing is written, with or without --check", async ({ text, code }) => {
  for (const line of [["fmt"], ["fmt", "--check"]]) {
    const ran = await runCommandLine(line, { files: { "realm.yaml": text } });
    expect(ran).toMatchObject({ exitCode: 1, out: "", files: { "realm.yaml": text } });
    expect(ran.err).toContain(`error[${code}]`);
  }
});

test("a file with errors does not change, and the others are formatted", async () => {
  const { exitCode, err, files } = await run("fmt bad.yaml realm.yaml");
  expect(exitCode).toBe(1);
  expect(err).toContain("bad.yaml:1");
  expect(files["bad.yaml"]).toBe("a: [1\n");
  expect(files["realm.yaml"]).toBe(NEAT);
});

test.each([
  { what: "prose", text: "Notes of the team\n\nAsk Ada first.\nThen Ben.\n", code: "yaml/not-a-map" },
  {
    what: "accounts of a machine",
    text: "root:x:0:0:root:/root:/bin/sh\nada:x:1:1::/home/ada:/bin/sh\n",
    code: "yaml/not-a-map",
  },
  { what: "a list", text: "-   a\n-   b\n", code: "yaml/not-a-map" },
  { what: "the file of another program", text: "services:\n    web: {}\n", code: "yaml/not-a-map" },
  { what: "settings of another program", text: "printWidth:   80\n", code: "fmt/not-safe" },
])("$what is no configuration: nothing is written, with or without --check", async ({ text, code }) => {
  for (const line of [
    ["fmt", "notes"],
    ["fmt", "--check", "notes"],
  ]) {
    const ran = await runCommandLine(line, { files: { notes: text } });
    expect(ran).toMatchObject({ exitCode: 1, out: "", files: { notes: text } });
    expect(ran.err).toContain(`error[${code}]`);
  }
});
