import { defined } from "../model/defined.ts";
import { type Diagnostic, finding, type Note, type Path, type Span } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { foundValue, type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import type { Given, OutsideValues, ReadValues } from "../model/outside-values.ts";
import { hasCredential, isSecretName } from "../model/secrets.ts";
import { didYouMean } from "../model/suggest.ts";
import type { LoadOptions, SourceDocument } from "../source/load.ts";
import { isTree, setOwn, type Tree } from "../source/tree.ts";
import type { Report } from "./report.ts";
import {
  isOfType,
  isVariableType,
  literalName,
  parseTemplate,
  type Reference,
  VARIABLE_NAME,
  VARIABLE_TYPES,
  type VariableType,
} from "./variable-syntax.ts";

/** Keys of the file in which a reference is only text: they say what variables are, or are read before there are any. */
const WITHOUT_REFERENCES: readonly string[] = ["version", "realm", "include", "manage", "vars", "values"];
const DECLARATION_FIELDS = ["type", "about", "default", "from", "name"];
/** Names of variables of the environment. */
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Variable {
  readonly name: string;
  readonly type: VariableType;
  /** Undefined if the variable does not exist or has the wrong type, which was reported. */
  readonly value: unknown;
  /** Reads the value from the environment when something refers to it: only then it may come into a plan. */
  readonly read?: () => Valued | undefined;
  /** Where the value is written, for notes. */
  readonly note: Note | undefined;
  used: boolean;
}

/**
 * Replaces references to variables with their values, in place: `vars:` declares them, `values:` gives them values (and so do the command and the
 * environment), and `${name}` in a text refers to one (docs/internals/decisions/0031-one-file-for-each-organization.md). Done once for a document, before anything is decoded.
 * @param isPart only a part of the file is asked about: what a command names besides need not be declared
 */
export async function fillVariables(
  document: SourceDocument,
  report: Report,
  options: LoadOptions,
  isPart = false,
): Promise<void> {
  const { outside } = options;
  const read = await givenValues(options);
  if (!isPart) for (const found of read.diagnostics) report.tell(found);
  const reader = new VariableReader(document, report, read, { outside, isPart: isPart || outside?.isOfOther === true });
  // Searching every text of a large file takes as long as parsing it.
  if (reader.declaresAny || document.files.some(({ text }) => mayRefer(text))) reader.fill();
}

/** The file has `${`, or an escape in double quotes that may produce it. Most files have neither, and the search is quick. */
const mayRefer = (text: string): boolean =>
  (text.includes("$") && /\$[{\\]/.test(text)) || (text.includes("\\") && /\\[xuU]0*(?:24|7b)/i.test(text));

/** A value with its place, and what gives it. */
interface Valued {
  readonly value: unknown;
  readonly at?: Span | undefined;
  readonly by?: "--set";
  readonly env?: string;
}

/** The variable of the environment that a declaration names, and where. */
interface Asked {
  readonly env: string;
  readonly at: Span | undefined;
}

interface Declared {
  readonly name: string;
  readonly type: VariableType;
  readonly vars: Tree;
}

/** Whether it is about a reference that probably means this variable. */
const isMisspelt = ({ code, fact }: Diagnostic, name: string): boolean =>
  (code === "vars/undeclared" && fact.meant?.quoted === name) ||
  // `{{ name }}` or `$name`, in the place of the reference.
  (code === "config/placeholder" && fact.variable?.quoted === name) ||
  // `${var.name}` of another program.
  (code === "vars/reference" && fact.cause === "form" && fact.written.quoted.split(/[^\w]+/).includes(name));

const NONE: ReadonlySet<string> = new Set();

const noteOf = (name: string, at: Span | undefined): Note | undefined =>
  at === undefined ? undefined : { at, note: { value_of: quote(name) } };

class VariableReader {
  readonly declaresAny: boolean;
  private readonly document: SourceDocument;
  private readonly report: Report;
  private readonly variables = new Map<string, Variable>();
  /** Declared, with errors of its own: references to it are not errors. */
  private readonly broken = new Set<string>();
  /** What declares variables is no map, which is reported: what it declares is unknown. */
  private isUnreadable = false;
  /** Declared, and probably meant by a value whose name is not: one message is enough. */
  private readonly misspelt = new Set<string>();
  private readonly given: ReadValues["given"];
  private readonly outside: OutsideValues;

  constructor(
    document: SourceDocument,
    report: Report,
    read: ReadValues,
    { outside = {}, isPart }: { readonly outside: OutsideValues | undefined; readonly isPart: boolean },
  ) {
    this.document = document;
    this.report = report;
    this.given = read.given;
    this.outside = outside;
    const { root } = document;
    this.declaresAny = Object.hasOwn(root, "vars") || Object.hasOwn(root, "values");
    if (this.declaresAny) this.declare(this.section("vars"), this.section("values"));
    if (!isPart) this.refuseUndeclared();
  }

  fill(): void {
    const { root, places } = this.document;
    if (Object.hasOwn(root, "realm")) this.checkRealm(root.realm);
    for (const container of places.containers(root, WITHOUT_REFERENCES))
      if (container !== root) this.fillOne(container);
    for (const { name, used } of this.variables.values())
      if (!used && !this.report.some((told) => isMisspelt(told, name)))
        this.report.atKey(this.section("vars"), [name], "vars/unused", { name: quote(name) }, { severity: "warning" });
  }

  private section(name: "vars" | "values"): Tree {
    const { root } = this.document;
    const value = Object.hasOwn(root, name) ? root[name] : {};
    if (isTree(value)) return value;
    this.isUnreadable = true;
    this.report.atValue(root, [name], "vars/not-a-map", { section: name, found: foundValue(value) });
    return {};
  }

  private declare(vars: Tree, values: Tree): void {
    const { places } = this.document;
    const declared = Object.keys(vars);
    for (const key of Object.keys(values)) {
      const meant = declared.includes(key) ? undefined : didYouMean(key, declared, this.report.patience);
      if (meant !== undefined) this.misspelt.add(meant);
    }
    for (const { key, value } of places.entries(vars)) this.declareOne(vars, values, String(key), value);
    for (const { key } of places.entries(values)) {
      const name = String(key);
      if (this.variables.has(name) || this.broken.has(name)) continue;
      this.report.atKey(values, [name], "vars/undeclared", { name: quote(name), ...this.suggestion(name) });
      this.broken.add(name);
    }
  }

  /** A value from outside for a name that is not declared is a typing error: the intended variable would have another value. */
  private refuseUndeclared(): void {
    for (const [name, given] of this.given) {
      if (this.variables.has(name) || this.broken.has(name) || this.isUnreadable) continue;
      const fact = { name: quote(name), ...this.suggestion(name), by: given.by };
      this.report.add("vars/undeclared", fact, given.by === "--values" ? given.at : undefined);
    }
  }

  private declareOne(vars: Tree, values: Tree, name: string, declaration: unknown): void {
    const { places } = this.document;
    this.broken.add(name);
    if (!VARIABLE_NAME.test(name)) {
      this.report.atKey(vars, [name], "vars/name", { name: quote(name) });
      return;
    }
    if (!isTree(declaration)) {
      this.report.atValue(vars, [name], "vars/declaration", { cause: "no-map", found: foundValue(declaration) });
      return;
    }
    this.checkFields(declaration);
    if (!this.isFromRight(name, declaration)) return;
    const { type = declaration.from === "env" ? "string" : undefined } = declaration;
    if (!isVariableType(type)) {
      const meant = typeof type === "string" ? didYouMean(type, VARIABLE_TYPES) : undefined;
      const at: Path = Object.hasOwn(declaration, "type") ? [name, "type"] : [name];
      const fact = {
        name: quote(name),
        ...defined({ found: Object.hasOwn(declaration, "type") ? foundValue(type) : undefined, meant }),
        types: VARIABLE_TYPES,
      };
      this.report.atValue(vars, at, "vars/type-unknown", fact);
      return;
    }
    // A wrong default is an error even if no realm uses it, and so is a wrong value that the command replaces.
    const declared = { name, type, vars };
    const own = [
      ...(Object.hasOwn(values, name) ? [{ value: values[name], at: places.valueSpan(values, [name]) }] : []),
      ...(Object.hasOwn(declaration, "default")
        ? [{ value: declaration.default, at: places.valueSpan(declaration, ["default"]) }]
        : []),
    ];
    const isRight = own.map((one) => this.fits(declared, one)).every((fits) => fits);
    const given = this.given.get(name);
    const outer = given === undefined ? undefined : givenValue(given, type);
    if ((outer !== undefined && !this.fits(declared, outer)) || !isRight) return;
    const env = declaration.from === "env" ? String(declaration.name) : undefined;
    const found = outer ?? own[0];
    const isAsked = env !== undefined && outer === undefined && !Object.hasOwn(values, name);
    if (isAsked) {
      const at = places.valueSpan(declaration, ["name"]);
      this.set(declared, { value: undefined, at }, () => this.ofEnvironment(declared, { env, at }, found));
    } else if (found !== undefined) this.set(declared, found);
    else if (!Object.hasOwn(declaration, "value")) this.reportNoValue(declared, {});
  }

  private checkFields(declaration: Tree): void {
    for (const { key } of this.document.places.entries(declaration)) {
      const field = String(key);
      if (DECLARATION_FIELDS.includes(field)) continue;
      const meant = didYouMean(field, DECLARATION_FIELDS, this.report.patience);
      const suggested = defined({ meant });
      const fact = { cause: "field", field: quote(field), ...suggested } as const;
      this.report.atKey(declaration, [field], "vars/declaration", fact);
    }
    if (declaration.about !== undefined && typeof declaration.about !== "string")
      this.report.atValue(declaration, ["about"], "vars/declaration", {
        cause: "about",
        found: foundValue(declaration.about),
      });
  }

  private set({ name, type }: Declared, { value, at }: Valued, read?: Variable["read"]): void {
    this.broken.delete(name);
    this.variables.set(name, { name, type, value, note: noteOf(name, at), used: false, ...defined({ read }) });
  }

  /** Whether a declaration says rightly that the value is in the environment, or does not say it at all. */
  private isFromRight(name: string, declaration: Tree): boolean {
    const wrong = (field: string, fact: DiagnosticFacts["vars/declaration"]): boolean => {
      this.report.atValue(declaration, [field], "vars/declaration", fact);
      return false;
    };
    const hasName = Object.hasOwn(declaration, "name");
    if (!Object.hasOwn(declaration, "from")) return !hasName || wrong("name", { cause: "env-name-alone" });
    if (declaration.from !== "env") return wrong("from", { cause: "from", found: foundValue(declaration.from) });
    if (!hasName) return wrong("from", { cause: "env-name" });
    const { name: env } = declaration;
    if (typeof env !== "string" || !ENVIRONMENT_NAME.test(env))
      return wrong("name", { cause: "env-name", found: foundValue(env) });
    if (!isSecretName(env)) return true;
    this.report.atValue(declaration, ["name"], "vars/secret", { cause: "name", name: quote(name), env });
    return false;
  }

  /** What the environment has. An empty text is none: CI hosts give it for what is not set. Undefined: an error was reported. */
  private ofEnvironment(declared: Declared, { env, at }: Asked, otherwise: Valued | undefined): Valued | undefined {
    const { mayAsk, environment } = this.outside;
    const isWithheld = mayAsk?.(env) === false;
    const text = isWithheld ? "" : (environment?.(env) ?? "");
    if (text !== "") {
      const valued = { value: textValue(text, declared.type), at, env };
      return this.fits(declared, valued) ? valued : undefined;
    }
    if (otherwise === undefined)
      this.reportNoValue(declared, { env, ...defined({ is_withheld: isWithheld || undefined }) });
    return otherwise;
  }

  private reportNoValue({ name, vars }: Declared, env: { readonly env?: string; readonly is_withheld?: true }): void {
    if (this.isUnreadable || this.misspelt.has(name)) return;
    this.report.atKey(vars, [name], "vars/no-value", { name: quote(name), ...env });
  }

  private fits({ name, type, vars }: Declared, { value, at, by, env }: Valued): boolean {
    const isWritten = by === undefined && env === undefined;
    if (isWritten && typeof value === "string" && parseTemplate(value).some(({ kind }) => kind === "reference")) {
      this.report.add("vars/nested", {}, at);
      return false;
    }
    if (typeof value === "string" && (hasCredential(value) || this.outside.isSecret?.(value) === true)) {
      const fact = { cause: "value", name: quote(name), ...defined({ by, env }) } as const;
      this.report.addFound({ ...finding("vars/secret", fact), unquotable: true }, at);
      return false;
    }
    if (isOfType(type, value)) return true;
    const declared = this.document.places.valueSpan(vars, [name, "type"]);
    const notes = declared === undefined ? [] : [{ at: declared, note: "type-here" } as const];
    // What the environment has is not shown before a field shows it.
    const found = env === undefined ? foundValue(value) : undefined;
    this.report.add("vars/type", { name: quote(name), type, ...defined({ found, by, env }) }, at, { notes });
    return false;
  }

  private fillOne(container: object): void {
    const literal = isTree(container) ? this.takeLiterally(container) : NONE;
    for (const { key, value } of this.document.places.entries(container)) {
      if (typeof key === "string" && !literal.has(key)) this.checkKey(container, key);
      if (typeof value === "string" && value.includes("${")) this.put(container, key, value);
    }
  }

  private put(container: object, key: string | number, text: string): void {
    const value = this.evaluate(container, [key], text);
    if (Array.isArray(container)) container[Number(key)] = value;
    else if (isTree(container)) setOwn(container, String(key), value);
  }

  private evaluate(container: object, path: Path, text: string): unknown {
    const parts = parseTemplate(text);
    const [first] = parts;
    const at = this.document.places.valueSpan(container, path);
    let unknown = false;
    const values = parts.map((part) => {
      if (part.kind === "text") return part.text;
      const variable = this.variableOf(part, container, path);
      if (variable === undefined) {
        unknown = true;
        return part.written;
      }
      if (at !== undefined && variable.note !== undefined) this.report.explain(at, variable.note);
      if (parts.length === 1) return variable.value;
      if (typeof variable.value === "string" || typeof variable.value === "number") return String(variable.value);
      const fact = { variable: quote(variable.name), found: foundValue(variable.value) };
      this.report.atValue(container, path, "vars/inside-text", fact);
      unknown = true;
      return part.written;
    });
    if (unknown && at !== undefined) this.report.silence(at);
    return parts.length === 1 && first?.kind === "reference" ? values[0] : values.join("");
  }

  private variableOf(part: Reference, container: object, path: Path): Variable | undefined {
    const { name } = part;
    if (!part.closed || !VARIABLE_NAME.test(name)) {
      const fact = part.closed
        ? ({ cause: "form", written: quote(part.written) } as const)
        : ({ cause: "open" } as const);
      this.report.add("vars/reference", fact, this.spanOf(part, container, path));
      return undefined;
    }
    const variable = this.variables.get(name);
    if (variable?.read !== undefined) return this.readNow(variable, variable.read);
    if (variable !== undefined) variable.used = true;
    else if (!this.broken.has(name) && !this.isUnreadable) {
      const fact = { name: quote(name), ...this.suggestion(name), written: quote(part.written) };
      this.report.add("vars/undeclared", fact, this.spanOf(part, container, path));
    }
    return variable;
  }

  /** The variable with its value of the environment, or with its default. */
  private readNow(variable: Variable, read: NonNullable<Variable["read"]>): Variable | undefined {
    const { name, type } = variable;
    const valued = read();
    if (valued === undefined) {
      this.variables.delete(name);
      this.broken.add(name);
      return undefined;
    }
    const { value, at } = valued;
    const found = { name, type, value, note: noteOf(name, at), used: true };
    this.variables.set(name, found);
    return found;
  }

  private spanOf({ written }: Reference, container: object, path: Path): Span | undefined {
    return this.report.spanIn(this.document.places.valueSpan(container, path), written);
  }

  /** Braces are possible in the URL of a host, but no host has them. */
  private checkRealm(realm: unknown): void {
    if (typeof realm !== "string" || parseTemplate(realm).every(({ kind }) => kind === "text")) return;
    this.report.atValue(this.document.root, ["realm"], "vars/not-here", {});
  }

  /** Writes `${x}` for the keys that are `$${x}` in the file, which are the names of objects. */
  private takeLiterally(map: Tree): ReadonlySet<string> {
    const { places } = this.document;
    const entries = places.entries(map).map(({ key, value }) => ({ key: String(key), value }));
    if (!entries.some(({ key }) => key.includes("$${"))) return NONE;
    const taken = new Map<string, string>();
    for (const { key } of entries) {
      const name = literalName(key);
      const first = taken.get(name);
      if (first === undefined) {
        taken.set(name, key);
        continue;
      }
      const at = places.keySpan(map, [first]);
      const notes = at === undefined ? [] : [{ at, note: "first-here" } as const];
      this.report.atKey(map, [key], "yaml/duplicate-key", { key: quote(name) }, { notes });
    }
    for (const { key } of entries) delete map[key];
    for (const { key, value } of entries) if (taken.get(literalName(key)) === key) setOwn(map, literalName(key), value);
    places.rename(map, taken);
    return new Set([...taken].flatMap(([name, key]) => (name === key ? [] : [name])));
  }

  /** A name is how two runs recognise an object: it must be in the file to be searched for and to be renamed. */
  private checkKey(container: object, key: string): void {
    if (!key.includes("${")) return;
    const found = parseTemplate(key).find(
      (part) => part.kind === "reference" && part.closed && VARIABLE_NAME.test(part.name),
    );
    if (found?.kind !== "reference") return;
    const variable = this.variables.get(found.name);
    if (variable !== undefined) variable.used = true;
    this.report.atKey(container, [key], "vars/in-key", { reference: quote(found.written) });
    const at = this.document.places.keySpan(container, [key]);
    if (at !== undefined) this.report.silence(at);
  }

  private suggestion(name: string): { readonly meant?: Quoted; readonly known?: readonly Quoted[] } {
    if (this.report.patience.isOver) return {};
    const names = [...this.variables.keys(), ...this.broken].filter((each) => VARIABLE_NAME.test(each));
    const meant = didYouMean(name, names, this.report.patience);
    return { ...defined({ meant: meant === undefined ? undefined : quote(meant) }), known: quoteAll(names) };
  }
}

/** The values that a command names besides the file. Most name none. */
export async function givenValues(options: LoadOptions): Promise<ReadValues> {
  const { set = [], files = [] } = options.outside ?? {};
  if (set.length === 0 && files.length === 0) return { given: new Map(), diagnostics: [] };
  return (await import("./outside.ts")).readOutside(options);
}

/** A given value as one of the variable's type, as far as it can be. */
export function givenValue(
  given: Given,
  type: VariableType,
): { readonly value: unknown; readonly at?: Span; readonly by?: "--set" } {
  if (given.by === "--set") return { value: textValue(given.text, type), by: "--set" };
  return { value: given.value, ...defined({ at: given.at }) };
}

/** A text of the command line or the environment as a value of a type; the text itself if it is none. */
export function textValue(text: string, type: VariableType): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(text.trim())) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/.test(text.trim())) return text.trim() === "true";
  return text;
}
