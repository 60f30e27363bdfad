import type { Diagnostic } from "../../model/diagnostic.ts";
import { listNames } from "../../model/suggest.ts";
import type { LinkifierFields } from "./fields.ts";
import { LONGEST_PATTERN, type Pattern, readPattern } from "./pattern.ts";
import { expandReverse, readTemplate } from "./template.ts";

/** Something about a linkifier that the server would refuse (error), or that does not do what it looks like (warning). */
export interface Flaw {
  readonly field: "pattern" | "url_template" | "example_input" | "reverse_template" | "alternative_url_templates";
  /** Which of several templates. */
  readonly index?: number;
  readonly code: Diagnostic["code"];
  readonly severity: Diagnostic["severity"];
  readonly message: string;
  readonly hint: string;
}

/**
 * What is wrong with a linkifier (zulip-api.md §6.2, §6.3).
 * @param known the fields besides the pattern whose values are known; nothing is said about the others
 */
export function flawsOf(fields: LinkifierFields, known: ReadonlySet<string>): readonly Flaw[] {
  const { pattern: source, url_template: template } = fields;
  const flaws: Flaw[] = [];
  let pattern: Pattern | undefined;
  if (source === "") {
    flaws.push(flaw("pattern", "linkifiers/pattern", "a linkifier needs a pattern", "write one, or take the item out"));
  } else {
    const read = readPattern(source);
    if ("pattern" in read) pattern = read.pattern;
    else
      flaws.push(
        flaw(
          "pattern",
          "linkifiers/pattern",
          source.length > LONGEST_PATTERN
            ? `the pattern is too long: ${read.problem}`
            : `the pattern is no regular expression of RE2: ${read.problem}`,
          source.length > LONGEST_PATTERN
            ? "make several linkifiers of it"
            : "RE2 syntax is described at https://github.com/google/re2/wiki/Syntax",
        ),
      );
  }
  if (known.has("url_template") && template !== null) flaws.push(...templateFlaws(template, pattern));
  fields.alternative_url_templates.forEach((alternative, index) => {
    flaws.push(...alternativeFlaws(alternative, index, pattern));
  });
  flaws.push(...exampleFlaws(fields, known, pattern));
  return flaws;
}

function templateFlaws(template: string, pattern: Pattern | undefined): readonly Flaw[] {
  if (template === "")
    return [flaw("url_template", "linkifiers/template", "url_template is empty", "write where the link shall lead")];
  const read = readTemplate(template);
  if ("problem" in read) return [notATemplate("url_template", read.problem)];
  if (pattern === undefined) return [];
  const { groups } = pattern;
  const unknown = read.variables.filter((name) => !groups.includes(name));
  const unused = groups.filter((name) => !read.variables.includes(name));
  return [
    ...unknown.map((name) =>
      flaw(
        "url_template",
        "linkifiers/unknown-variable",
        `{${name}} is not a named group of the pattern`,
        groups.length === 0
          ? `name a group in the pattern: (?P<${name}>…)`
          : `the pattern's groups: ${listNames(groups)}`,
      ),
    ),
    ...unused.map((name) =>
      flaw(
        "url_template",
        "linkifiers/unused-group",
        `the pattern's group "${name}" is not in the template, and the server wants every one used`,
        `use {${name}}, or do not name the group: (…) instead of (?P<${name}>…)`,
      ),
    ),
  ];
}

function alternativeFlaws(template: string, index: number, pattern: Pattern | undefined): readonly Flaw[] {
  const field = "alternative_url_templates";
  const read = readTemplate(template);
  if (template === "" || "problem" in read) {
    const problem = "problem" in read ? read.problem : "it is empty";
    return [{ ...notATemplate(field, problem), index }];
  }
  if (pattern === undefined) return [];
  return read.variables
    .filter((name) => !pattern.groups.includes(name))
    .map((name) => ({
      field,
      index,
      code: "linkifiers/unknown-variable",
      severity: "warning",
      message: `{${name}} is not a named group of the pattern: what it holds is lost when a URL is turned back`,
      hint: "use the pattern's groups only",
    }));
}

function exampleFlaws(
  fields: LinkifierFields,
  known: ReadonlySet<string>,
  pattern: Pattern | undefined,
): readonly Flaw[] {
  const { example_input: example, reverse_template: reverse } = fields;
  if (!known.has("example_input")) return [];
  if (example === null) {
    if (reverse === null || !known.has("reverse_template")) return [];
    return [
      flaw(
        "reverse_template",
        "linkifiers/reverse-without-example",
        "reverse_template needs an example_input to be tried on",
        "add example_input: a text that the pattern finds",
      ),
    ];
  }
  if (pattern === undefined) return [];
  const match = pattern.find(example);
  if (match === undefined)
    return [
      flaw(
        "example_input",
        "linkifiers/example",
        `the pattern finds nothing in ${JSON.stringify(example)}`,
        "correct the example or the pattern",
      ),
    ];
  if (reverse === null || !known.has("reverse_template")) return [];
  const expanded = expandReverse(reverse, match.groups);
  if ("problem" in expanded)
    return [
      flaw(
        "reverse_template",
        "linkifiers/reverse",
        `reverse_template cannot be filled in: ${expanded.problem}`,
        "{name} stands for a named group; braces are written {{ and }}",
      ),
    ];
  if (expanded.text === example) return [];
  return [
    flaw(
      "reverse_template",
      "linkifiers/reverse",
      `reverse_template makes ${JSON.stringify(expanded.text)} of the example, not ${JSON.stringify(example)}`,
      "it has to give example_input back exactly",
    ),
  ];
}

function notATemplate(field: Flaw["field"], problem: string): Flaw {
  return flaw(
    field,
    "linkifiers/template",
    `this is no URL template: ${problem}`,
    "variables stand in braces: https://bugs.example.org/{id} (RFC 6570)",
  );
}

function flaw(field: Flaw["field"], code: Diagnostic["code"], message: string, hint: string): Flaw {
  return { field, code, severity: "error", message, hint };
}
