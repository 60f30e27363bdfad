import { expect, test } from "vitest";
import { languageMeant } from "./languages.ts";

test.each([
  ["rust", "Rust"],
  ["rs", "Rust"],
  ["py", "Python"],
  ["JS", "JavaScript"],
  ["c++", "C++"],
  ["cpp", "C++"],
  ["html", "HTML"],
  ["sh", "Bash"],
])("%s is written %s", (alias, name) => expect(languageMeant(alias)).toBe(name));

test.each(["Rust", "Python", "C++", "HTML", "Bash", "Brainhurt", "our own", "__proto__", ""])("%s stays", (name) =>
  expect(languageMeant(name)).toBeUndefined(),
);
