import { describe, expect, test } from "vitest";
import { expandReverse, readTemplate } from "./template.ts";

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
    ["https://x.example/{", 'the "{" at position 19 is not closed'],
    ["https://x.example/}", 'the "}" at position 19 closes nothing'],
    ["{a{b}}", '"{a{b}" is no expression of RFC 6570'],
    ["{}", '"{}" is no expression of RFC 6570'],
    ["{+}", '"{+}" is no expression of RFC 6570'],
    ["{a,,b}", '"{a,,b}" is no expression of RFC 6570'],
    ["{=a}", '"{=a}" is no expression of RFC 6570'],
    ["{a:0}", '"{a:0}" is no expression of RFC 6570'],
    ["{a:1000}", '"{a:1000}" is no expression of RFC 6570'],
    ["{a b}", '"{a b}" is no expression of RFC 6570'],
    ["{é}", '"{é}" is no expression of RFC 6570'],
  ])("%s: %s", (template, problem) => expect(readTemplate(template)).toEqual({ problem }));
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
    ["#{id", 'the "{" at position 2 is not closed'],
    ["#{}", "{} names no group"],
    ["#{no}", "{no} is not a named group of the pattern"],
  ])("%s: %s", (template, problem) => expect(expandReverse(template, GROUPS)).toEqual({ problem }));
});
