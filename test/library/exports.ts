import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModuleItem, parseSync } from "@swc/core";

/** A name that a declaration uses as a type, and the module that declares it. */
interface Mention {
  readonly name: string;
  readonly module: string;
}

interface Module {
  /** Local name → the declaration. */
  readonly declarations: ReadonlyMap<string, unknown>;
  /** Local name → the module it is imported from. */
  readonly imports: ReadonlyMap<string, Mention>;
  /** Exported name → local name, or the module it is exported from. */
  readonly exports: ReadonlyMap<string, Mention>;
}

const modules = new Map<string, Module>();

/** What the module's text declares, imports and exports; undefined for modules of packages. */
function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const declarations = new Map<string, unknown>();
  const imports = new Map<string, Mention>();
  const exports = new Map<string, Mention>();
  const { body } = parseSync(readFileSync(path, "utf8"), { syntax: "typescript", target: "es2022" });
  for (const item of body) collect(item);
  const module = { declarations, imports, exports };
  modules.set(path, module);
  return module;

  function collect(item: ModuleItem): void {
    if (item.type === "ImportDeclaration") {
      const from = target(path, item.source.value);
      for (const one of item.specifiers)
        if (one.type === "ImportSpecifier")
          imports.set(one.local.value, { name: one.imported?.value ?? one.local.value, module: from });
    } else if (item.type === "ExportNamedDeclaration") {
      for (const one of item.specifiers) {
        if (one.type !== "ExportSpecifier") continue;
        const from = item.source === undefined || item.source === null ? path : target(path, item.source.value);
        exports.set(one.exported?.value ?? one.orig.value, { name: one.orig.value, module: from });
      }
    } else if (item.type === "ExportAllDeclaration") {
      for (const [name, mention] of moduleAt(target(path, item.source.value)).exports) exports.set(name, mention);
    } else if (item.type === "ExportDeclaration") declare(item.declaration, true);
    else declare(item, false);
  }

  function declare(node: unknown, isExported: boolean): void {
    for (const name of namesOf(node)) {
      // A schema and the type of its values share a name: both are followed.
      declarations.set(name, [declarations.get(name), node]);
      if (isExported) exports.set(name, { name, module: path });
    }
  }
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function namesOf(node: unknown): readonly string[] {
  if (!isRecord(node)) return [];
  const list = Array.isArray(node.declarations) ? node.declarations : [node];
  return list.flatMap((one: unknown) => {
    const id = isRecord(one) ? (one.identifier ?? one.id) : undefined;
    return isRecord(id) && typeof id.value === "string" ? [id.value] : [];
  });
}

/** Packages keep their own name. */
function target(from: string, to: string): string {
  return to.startsWith(".") ? join(dirname(from), to) : to;
}

/** The module that declares a name. */
function declared({ name, module }: Mention): Mention {
  if (!module.endsWith(".ts")) return { name, module };
  const { exports, imports, declarations } = moduleAt(module);
  if (declarations.has(name)) return { name, module };
  const next = imports.get(name) ?? exports.get(name);
  return next === undefined ? { name, module } : declared(next);
}

/** Bodies of functions, values and private members are part of no signature. */
const INSIDE = new Set(["BlockStatement", "ClassPrivateProperty", "PrivateMethod", "TsTypeQuery"]);

/** Names of types in a declaration, except its own type parameters. */
function typesIn(node: unknown, own: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((each: unknown) => typesIn(each, own));
  if (!isRecord(node)) return [];
  if (typeof node.type === "string" && INSIDE.has(node.type)) return [];
  if (node.accessibility === "private") return [];
  const brought = new Set([...own, ...parametersOf(node)]);
  if (node.type === "TsTypeReference" && isRecord(node.typeName)) {
    const { type, value } = node.typeName;
    const named = type === "Identifier" && typeof value === "string" && !brought.has(value) ? [value] : [];
    return [...named, ...typesIn(node.typeParams, brought)];
  }
  if (node.type === "VariableDeclarator")
    return typesIn(isRecord(node.id) ? node.id.typeAnnotation : undefined, brought);
  if (node.type === "ClassProperty") return typesIn(node.typeAnnotation, brought);
  // Interfaces extend several others, a class one.
  const heritage = [...(Array.isArray(node.extends) ? node.extends : []), { expression: node.superClass }];
  const bases = heritage.flatMap((each: unknown) =>
    isRecord(each) && isRecord(each.expression) && typeof each.expression.value === "string"
      ? [each.expression.value]
      : [],
  );
  return [...bases, ...Object.values(node).flatMap((value) => typesIn(value, brought))];
}

function parametersOf({
  typeParams,
  typeParameters,
  typeParam,
}: {
  readonly [key: string]: unknown;
}): readonly string[] {
  return [typeParams, typeParameters, typeParam].flatMap((declaration) => {
    const list =
      isRecord(declaration) && Array.isArray(declaration.parameters) ? declaration.parameters : [declaration];
    return list.flatMap((each: unknown) =>
      isRecord(each) && isRecord(each.name) && typeof each.name.value === "string" ? [each.name.value] : [],
    );
  });
}

/** The types of facts by code, which programs reach through one type: `DiagnosticFacts["domains/not-allowed"]`. */
function isMapOfFacts({ name, module }: Mention): boolean {
  return module.startsWith("src/model/diagnostics/") && (name.endsWith("Facts") || module.endsWith("/definitions.ts"));
}

/** Types of `src/` that signatures of the entry use, but that a program cannot import by name: `Name (module)`. */
export function unexportedTypes(entry: string): readonly string[] {
  const exported = [...moduleAt(entry).exports.values()].map(declared);
  const isExported = new Set(exported.map(({ name, module }) => `${name} (${module})`));
  const missing = new Set<string>();
  for (const { name, module } of exported) {
    if (!module.endsWith(".ts")) continue;
    const { declarations, imports } = moduleAt(module);
    for (const type of typesIn(declarations.get(name), new Set())) {
      if (!declarations.has(type) && !imports.has(type)) continue;
      const place = declared({ name: type, module });
      const text = `${place.name} (${place.module})`;
      if (place.module.endsWith(".ts") && !isMapOfFacts(place) && !isExported.has(text)) missing.add(text);
    }
  }
  return [...missing].sort();
}
