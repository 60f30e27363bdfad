import { expect, test } from "vitest";
import { templateVariables } from "./endpoints.ts";

test.each<[string, readonly string[] | undefined]>([
  ["https://x.example/", []],
  ["no url at all", []],
  ["https://x.example/{id}", ["id"]],
  ["https://x.example{/p}", ["p"]],
  ["https://x.example/{?q,page}", ["q", "page"]],
  ["https://x.example/{+p}{&q*}{#r}{.s}{;t}", ["p", "q", "r", "s", "t"]],
  ["https://x.example/{p:3}", ["p"]],
  ["{a}{a}", ["a"]],
  ["{1a}{_b}{c.d}{e%41}", ["1a", "_b", "c.d", "e%41"]],
  ["{a=default}{b[]}{c,}{d/key}", ["a", "b", "c", "d"]],
  ["https://x.example/{", undefined],
  ["https://x.example/}", undefined],
  ["{a{b}}", undefined],
  ["{}", undefined],
  ["{/a", undefined],
  ["{+}", undefined],
  ["{a,,b}", undefined],
  ["{=a}", undefined],
  ["{a:0}", undefined],
  ["{a:1000}", undefined],
  ["{a b}", undefined],
  ["{é}", undefined],
])("%s", (template, variables) => {
  expect(templateVariables(template)).toEqual(variables);
});
