import * as fc from "fast-check";
import { expect, test } from "vitest";
import { base64Pattern } from "./echo.ts";

const KEY = fc.string({ unit: fc.constantFrom(..."aZ09+/-_:~."), minLength: 1, maxLength: 40 });

test("a text is found in base64, after any other text, in any case, in both alphabets and with spaces in it", () => {
  const around = fc.uint8Array({ maxLength: 9 });
  const blanks = fc.infiniteStream(fc.constantFrom("", "", "", " ", "\n ", "\t\t "));
  fc.assert(
    fc.property(
      KEY,
      around,
      around,
      fc.boolean(),
      fc.infiniteStream(fc.boolean()),
      blanks,
      (key, a, b, web, up, gap) => {
        const changed = [...key]
          .map((letter) => (up.next().value ? letter.toUpperCase() : letter.toLowerCase()))
          .join("");
        const written = Buffer.concat([a, Buffer.from(changed), b]).toString(web ? "base64url" : "base64");
        const spaced = [...written.replace(/=+$/, "")].map((character) => character + gap.next().value).join("");
        expect(new RegExp(base64Pattern(key)).test(`x${spaced}`)).toBe(true);
      },
    ),
  );
});

test("text that does not decode to it is not found", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 60 }),
      fc.constantFrom("Secret-Key", "0123456789"),
      (bytes, key) => {
        const text = Buffer.from(bytes).toString("base64url");
        const decoded = [0, 1, 2, 3].map((from) =>
          Buffer.from(text.slice(from), "base64url").toString("latin1").toLowerCase(),
        );
        const isIn = decoded.some((each) => each.includes(key.toLowerCase()));
        expect(new RegExp(base64Pattern(key)).test(text)).toBe(isIn);
      },
    ),
  );
});

test("the pattern distinguishes a text from one that differs in its last bit", () => {
  const pattern = new RegExp(base64Pattern("key-one"));
  for (const before of ["", "a", "ab"]) {
    expect(pattern.test(Buffer.from(`${before}KEY-ONE`).toString("base64"))).toBe(true);
    expect(pattern.test(Buffer.from(`${before}KEY-OND`).toString("base64"))).toBe(false);
  }
});
