import { accessIn } from "../access/of-plan.ts";
import type { DecodeContext } from "../model/decoding.ts";
import { type Code, type Diagnostic, error, type Finding, finding, type Path, warning } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import type { TemplateCause } from "../model/diagnostics/linkifiers.ts";
import { type Person, quote, runningAccount } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, Pair } from "../model/objects.ts";
import { asPeopleList } from "../model/people-list.ts";
import { type Change, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { RepositoryFile } from "../model/repository-file.ts";

/**
 * Lists whose exception leaves nobody in them, or nobody out. The second is only told if the plan changes the list: a list is also written for people who
 * come later, and a warning in each plan would say nothing new.
 */
export function exceptDiagnostics(
  { name: kind, section, noun }: Pick<ResourceKind, "name" | "section" | "noun">,
  field: string,
  context: PlanContext,
): readonly Diagnostic[] {
  const lists = context.declared(section).flatMap((declared) => {
    const list = asPeopleList(declared.creation?.[field]);
    return list?.except === undefined || declared.absent ? [] : [{ declared, who: list.who, except: list.except }];
  });
  if (lists.length === 0) return [];
  const changed = new Set(
    context
      .pairs(section)
      .flatMap(({ declared, change }) =>
        declared !== undefined && fieldIn(change?.fields, field) !== undefined ? [declared.name] : [],
      ),
  );
  const { after } = accessIn(context);
  // A list that is not exact takes nobody out, and only the resolved object says so.
  const additive = new Set(
    context.pairs(section).flatMap(({ declared }) => (declared?.adds?.includes(field) === true ? [declared.name] : [])),
  );
  const stays = lists.flatMap(({ declared, except }): Diagnostic | readonly [] => {
    if (!additive.has(declared.name)) return [];
    const there = after.channel(declared.name)?.subscribers?.and(after.peopleIn(except)).and(after.accounts.everybody);
    if (there === undefined || there.size === 0) return [];
    const people = firstOf(there.ids(), context);
    const about = { noun: noun[0], name: quote(declared.name, kind), field, people, more: there.size - people.length };
    return warning("reference/except", { found: "still-there", ...about }, declared.spans.of(field) ?? declared.at);
  });
  const said = lists.flatMap(({ declared, who, except }) => {
    const named = after.peopleIn(who);
    const left = named.minus(after.peopleIn(except));
    const found = left.size === 0 ? "nobody-left" : left.size === named.size ? "nobody-out" : undefined;
    if (found === undefined || named.size === 0 || (found === "nobody-out" && !changed.has(declared.name))) return [];
    const fact = { found, noun: noun[0], name: quote(declared.name, kind), field } as const;
    return [warning("reference/except", fact, declared.spans.of(field) ?? declared.at)];
  });
  return [...stays, ...said];
}

/** At most this number of people, and of bots, are named in one finding. */
const MOST_NAMED = 5;

/** The first of these accounts by name. */
export const firstOf = (ids: readonly number[], { realm }: PlanContext): readonly Person[] =>
  ids.slice(0, MOST_NAMED).flatMap((id) => {
    const user = realm.user(id);
    return user === undefined ? [] : [{ user_id: id, full_name: user.full_name }];
  });

/** The codes that say who may change a whole section. */
type RoleCode = {
  [C in Code & `${string}/not-allowed`]: { readonly account: Person } extends DiagnosticFacts[C] ? C : never;
}[Code & `${string}/not-allowed`];

/** The error about a role that is too low for the whole section, at its first change. */
export const roleDiagnostics = (
  code: RoleCode,
  isEnough: boolean,
  [first]: readonly Change[],
  { snapshot }: PlanContext,
): readonly Diagnostic[] =>
  first === undefined || isEnough ? [] : [error(code, { account: runningAccount(snapshot) }, first.at)];

/** Objects with a name that another one has, with the other. Those that are only on the server are the last of a section: they are never told of. */
export function sharingName(
  pairs: readonly Pair[],
  nameOf: (pair: Pair) => string | undefined,
): readonly { readonly pair: Pair; readonly other: Pair; readonly name: string }[] {
  const holders = new Map<string, Pair>();
  return pairs.toReversed().flatMap((pair) => {
    const name = nameOf(pair);
    if (name === undefined) return [];
    const other = holders.get(name);
    holders.set(name, pair);
    return other === undefined ? [] : [{ pair, other, name }];
  });
}

/** Objects of the file that have a value of another one before them. */
export function sharingValue(
  declared: readonly DeclaredObject[],
  textOf: (object: DeclaredObject) => unknown,
): readonly { readonly object: DeclaredObject; readonly first: DeclaredObject; readonly value: string }[] {
  const seen = new Map<string, DeclaredObject>();
  return declared.flatMap((object) => {
    const value = textOf(object);
    if (typeof value !== "string") return [];
    const first = seen.get(value);
    if (first === undefined) seen.set(value, object);
    return first === undefined ? [] : [{ object, first, value }];
  });
}

const MEBIBYTE = 1024 * 1024;
/** The maximum number of pixels. Servers refuse larger pictures without reading them, since they would use too much memory. */
const MOST_PIXELS = 90_000_000;

/**
 * The picture that an item names, as servers accept it: PNG, JPEG, GIF or WebP, complete, and not too large. Errors are reported.
 * @param path the place below the item where it is named
 * @param mostMebibytes the server's limit
 */
export function imageAt(context: DecodeContext, path: Path, mostMebibytes: number): RepositoryFile | undefined {
  const file = context.file?.(path);
  if (file === undefined) return undefined;
  const cause = causeOf(file, mostMebibytes);
  if (cause === undefined) return file;
  context.report(path, cause);
  return undefined;
}

function causeOf({ path, size_bytes, image, lfs_pointer }: RepositoryFile, mostMebibytes: number): Finding | undefined {
  if (lfs_pointer) return finding("file/lfs-pointer", { file: path });
  if (image === null) return finding("file/no-image", { file: path, is_empty: size_bytes === 0 });
  if (image.cut_off) return finding("file/cut-off", { file: path });
  if (size_bytes > mostMebibytes * MEBIBYTE)
    return finding("file/too-large", { file: path, size_bytes, most_mebibytes: mostMebibytes });
  const { width, height } = image;
  if (width === 0 || height === 0 || width * height > MOST_PIXELS)
    return finding("file/dimensions", { file: path, width, height, most_pixels: MOST_PIXELS });
  return undefined;
}

const NAME = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*";
const VARIABLE = `${NAME}(?::[1-9][0-9]{0,2}|\\*)?`;
const EXPRESSION = new RegExp(`^[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)$`);

/** The variables of an RFC 6570 template without duplicates, or why it is not a template. */
export function readTemplate(
  template: string,
): { readonly variables: readonly string[] } | { readonly cause: TemplateCause } {
  const variables = new Set<string>();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const stray = template.slice(at, open === -1 ? undefined : open).indexOf("}");
    if (stray !== -1) return { cause: { cause: "stray-brace", position: at + stray + 1 } };
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) return { cause: { cause: "open-brace", position: open + 1 } };
    const expression = template.slice(open + 1, close);
    const list = EXPRESSION.exec(expression)?.[1];
    if (list === undefined) return { cause: { cause: "expression", expression: quote(expression) } };
    for (const variable of list.split(",")) variables.add(variable.replace(/(?::\d+|\*)$/, ""));
    at = close + 1;
  }
  return { variables: [...variables] };
}
