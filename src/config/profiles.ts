import { defined, own, whenDefined } from "../model/defined.ts";
import type { Diagnostic, Path } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree, type PlaceTable, setOwn, type Tree } from "../source/tree.ts";
import type { Report } from "./report.ts";

/** The field by which an item takes fields from profiles, if its kind supports them. */
export const profileFields = ({ file }: ResourceKind): readonly string[] => (file.profiles === true ? ["profile"] : []);
/** How many profiles may form a chain, or be named by one channel; people write two or three. */
export const DEEPEST_PROFILES = 50;
/** Fields that identify one object: shared by several, they would always be wrong. */
export const OWN_FIELDS: readonly string[] = ["id", "was"];

export interface Profiles {
  /** The map as the file has it, for places. */
  readonly declared: Tree;
  /** The bundles themselves, so that errors in unused ones are found too. */
  readonly bundles: readonly { readonly name: string; readonly fields: Tree }[];
  /** The item with the fields of its profiles; its own fields win. Their places stay where they were written. */
  expand(item: Tree): Tree;
  reportUnused(): void;
}

/** Reads `profiles:`. A profile may build on others with its own `profile:`. */
export function readProfiles(document: SourceDocument, report: Report): Profiles {
  return new ProfileReader(document, report);
}

class ProfileReader implements Profiles {
  readonly bundles: { readonly name: string; readonly fields: Tree }[] = [];
  private readonly places: PlaceTable;
  private readonly report: Report;
  readonly declared: Tree;
  private readonly resolved = new Map<string, Tree | "open">();
  private readonly used = new Set<string>();
  /** How many profiles are being combined that build on each other. */
  private depth = 0;

  constructor({ root, places }: SourceDocument, report: Report) {
    this.places = places;
    this.report = report;
    const { profiles } = root;
    this.declared = Object.hasOwn(root, "profiles") && isTree(profiles) ? profiles : {};
    if (Object.hasOwn(root, "profiles") && !isTree(profiles))
      report.atValue(root, ["profiles"], "profiles/not-a-map", {});
    for (const { key } of places.entries(this.declared)) this.check(String(key));
  }

  expand(item: Tree): Tree {
    if (!Object.hasOwn(item, "profile")) return item;
    return this.build(item, item);
  }

  reportUnused(): void {
    if (this.report.some(isMisspelt)) return;
    for (const { key } of this.places.entries(this.declared))
      if (!this.used.has(String(key)))
        this.report.atKey(
          this.declared,
          [key],
          "profiles/unused",
          { name: quote(String(key)) },
          { severity: "warning" },
        );
  }

  private check(name: string): void {
    const profile = own(this.declared, name);
    if (!isTree(profile)) {
      this.report.atValue(this.declared, [name], "profiles/not-a-map", { name: quote(name) });
      return;
    }
    for (const field of OWN_FIELDS)
      if (Object.hasOwn(profile, field)) this.report.atKey(profile, [field], "profiles/own-field", { field });
    const fields = this.resolve(name);
    if (fields !== undefined) this.bundles.push({ name, fields });
  }

  /** A profile with everything it builds on; undefined if there is no such profile, or if it builds on itself. */
  private resolve(name: string): Tree | undefined {
    const known = this.resolved.get(name);
    if (known !== undefined) return known === "open" ? undefined : known;
    const profile = own(this.declared, name);
    if (!isTree(profile)) return undefined;
    this.resolved.set(name, "open");
    this.depth += 1;
    const fields = this.build(profile, profile);
    this.depth -= 1;
    this.resolved.set(name, fields);
    return fields;
  }

  private build(owner: Tree, own: Tree): Tree {
    let fields: Tree = {};
    this.places.start(fields, own);
    for (const { name, path } of this.names(owner)) {
      const bundle = this.named(owner, name, path);
      if (bundle !== undefined) fields = overlay(this.places, fields, bundle);
    }
    return overlay(this.places, fields, own, "profile");
  }

  private names(owner: Tree): readonly { readonly name: string; readonly path: Path }[] {
    const { profile } = owner;
    if (!Object.hasOwn(owner, "profile")) return [];
    const list: readonly unknown[] = Array.isArray(profile) ? profile : [profile];
    if (list.length > DEEPEST_PROFILES) {
      this.report.atValue(owner, ["profile"], "profiles/too-deep", { most: DEEPEST_PROFILES, listed: list.length });
      return [];
    }
    return list.flatMap((name, index) => {
      const path = Array.isArray(profile) ? ["profile", index] : ["profile"];
      if (typeof name === "string") return [{ name, path }];
      this.report.atValue(owner, path, "profiles/not-a-name", {});
      return [];
    });
  }

  private named(owner: Tree, name: string, path: Path): Tree | undefined {
    if (!Object.hasOwn(this.declared, name)) {
      // That it is not a map of profiles was told: whether this one is there is a consequence.
      if (Object.hasOwn(this.report.document.root, "profiles") && !isTree(this.report.document.root.profiles))
        return undefined;
      const names = Object.keys(this.declared);
      const meant = didYouMean(name, names, this.report.patience);
      const suggested = defined({ meant: whenDefined(meant, quote) });
      this.report.atValue(owner, path, "profiles/unknown", { name: quote(name), ...suggested, known: quoteAll(names) });
      return undefined;
    }
    this.used.add(name);
    if (this.resolved.get(name) === "open") {
      this.report.atValue(owner, path, "profiles/cycle", { name: quote(name) });
      return undefined;
    }
    if (this.depth >= DEEPEST_PROFILES && !this.resolved.has(name)) return this.tooDeep(owner, path);
    return this.resolve(name);
  }

  /** What it builds on is left out; the rest of the chain is a separate error only if that part is too long, too. */
  private tooDeep(owner: Tree, path: Path): undefined {
    this.report.atValue(owner, path, "profiles/too-deep", { most: DEEPEST_PROFILES });
  }
}

/** Whether it is about the name of a profile, or the word before it: then it is not known which profiles are used. */
const isMisspelt = ({ code, fact }: Diagnostic): boolean =>
  code === "profiles/unknown" ||
  code === "profiles/not-a-name" ||
  (code === "field/unknown" && fact.way?.kind === "meant" && fact.way.field === "profile");

/** `base` with the fields of `top`, which win; permissions are merged setting by setting. Places stay where they were written. */
export function overlay(places: PlaceTable, base: Tree, top: Tree, without?: string): Tree {
  const result = places.copy(base);
  for (const { key, value } of places.entries(top)) {
    const name = String(key);
    if (name === without) continue;
    const before = Object.hasOwn(result, name) ? result[name] : undefined;
    const joined = name === "permissions" && isTree(before) && isTree(value) ? overlay(places, before, value) : value;
    setOwn(result, name, joined);
    places.adopt(result, top, name);
  }
  return result;
}
