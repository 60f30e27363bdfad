import { describe, expect, test } from "vitest";
import { readTemplate } from "../checks.ts";
import { expandReverse } from "./pattern-causes.ts";

describe("RFC 6570", () => {
  test.each<[string, readonly string[]]>([
    ["https://x.example/", []],
    ["no url at all", []],
    ["https://x.example/{id}", ["id"]],
    ["https://x.example{/p}", ["p"]],
    ["https://x.example/{?q,page}", ["q", "page"]],
    ["https://x.example/{+p}{&q*}{#r}{.s}{;t}", ["p", "q", "r", "s", "t"]],
    ["https://x.example/{p:3}", ["p"]],
    ["{a}{a}", ["a"]],
    ["{1a}{_b}{c.d}{e%41}", ["1a", "_b", "c.d", "e%41"]],
  ])("%s", (template, variables) => expect(readTemplate(template)).toEqual({ variables }));

  test.each([
    ["https://x.example/{", { cause: "open-brace", position: 19 }],
    ["https://x.example/}", { cause: "stray-brace", position: 19 }],
    ["{a{b}}", { cause: "expression", expression: { quoted: "a{b" } }],
    ["{}", { cause: "expression", expression: { quoted: "" } }],
    ["{+}", { cause: "expression", expression: { quoted: "+" } }],
    ["{a,,b}", { cause: "expression", expression: { quoted: "a,,b" } }],
    ["{=a}", { cause: "expression", expression: { quoted: "=a" } }],
    ["{a:0}", { cause: "expression", expression: { quoted: "a:0" } }],
    ["{a:1000}", { cause: "expression", expression: { quoted: "a:1000" } }],
    ["{a b}", { cause: "expression", expression: { quoted: "a b" } }],
    ["{é}", { cause: "expression", expression: { quoted: "é" } }],
  ])("%s: %o", (template, cause) => expect(readTemplate(template)).toEqual({ cause: cause }));
});

const GROUPS = new Map([
  ["id", "12"],
  ["empty", ""],
]);

describe("reverse templates", () => {
  test.each([
    ["#{id}", "#12"],
    ["{{{id}}}", "{12}"],
    ["}}{empty}{{", "}{"],
    ["}", "}"],
    ["no fields", "no fields"],
  ])("%s gives %s", (template, text) => expect(expandReverse(template, GROUPS)).toEqual({ text }));

  test.each([
    ["#{id", { cause: "open-brace", position: 2 }],
    ["#{}", { cause: "no-name" }],
    ["#{no}", { cause: "no-group", name: { quoted: "no" } }],
  ])("%s: %o", (template, cause) => expect(expandReverse(template, GROUPS)).toEqual({ cause: cause }));
});
