import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, finding } from "../../model/diagnostic.ts";
import type { DomainCause } from "../../model/diagnostics/domains.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { allAdded, removed, written } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { MapKind } from "../../model/kind.ts";
import { once } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { roleDiagnostics } from "../checks.ts";
import { codePoints, strip } from "../names.ts";
import { flag, optional } from "../optional.ts";
import { off, PropertyTable } from "../property.ts";
import { liveObject } from "../readings.ts";
import { oneForEach } from "../requests.ts";

function checkDomains(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...roleDiagnostics("domains/not-allowed", context.realm.isOwner, changes, context),
    ...lastDomainDiagnostics(changes, context),
  ];
}

/** Reports the removal of the last domain (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). */
function lastDomainDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  if (!isRestricted(context) || !removesLast(changes, context) || mayLift(changes, context)) return [];
  const last = changes.findLast(({ action }) => action === "remove");
  return [error("domains/last-domain", { domain: quote(last?.name ?? "", "domain") }, last?.at)];
}

/**
 * Whether domains will decide who may join. The settings of the organization are written before domains are removed. Without the setting, the list of
 * domains has no effect (zulip-api.md §7.3).
 */
function isRestricted({ settingAfter }: PlanContext): boolean {
  return settingAfter("emails_restricted_to_domains") === true;
}

/** Whether no domain is left after these changes, and there was one before. The server then lifts the restriction. */
function removesLast(changes: readonly Change[], context: PlanContext): boolean {
  const before = context.snapshot.domains?.length ?? 0;
  const added = changes.filter(({ action }) => action === "create").length;
  const removed = changes.filter(({ action }) => action === "remove").length;
  return before > 0 && added === 0 && removed === before;
}

/** Whether the file says for one of the removed domains that the restriction may be lifted with it. */
function mayLift(changes: readonly Change[], context: PlanContext): boolean {
  return changes.some(
    ({ action, address }) =>
      action === "remove" && context.pair(address)?.declared?.creation?.lift_restriction === true,
  );
}

/** If the organization is restricted to domains, they decide who may join. */
function domainRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  if (!isRestricted(context)) return [];
  const object = namedOf(change);
  const open = defined({ uninvited: context.settingAfter("invite_required") === false || undefined });
  const risk = (kind: FoundRisk["kind"], fact: RiskFact): FoundRisk[] => [{ kind, fact }];
  const joining = (who: "domain" | "domain-and-subdomains" | "subdomains"): FoundRisk[] =>
    risk("widens", { kind: "may-join", object, who, shift: "gained", ...open });
  const noLonger = (who: "domain" | "subdomains"): FoundRisk[] =>
    risk("narrows", { kind: "may-join", object, who, shift: "lost" });
  const subdomains = fieldIn(change.fields, "allow_subdomains");
  switch (change.action) {
    case "create":
      return joining(subdomains?.after === true ? "domain-and-subdomains" : "domain");
    case "update":
      return subdomains?.after === true ? joining("subdomains") : noLonger("subdomains");
    case "remove": {
      const own = context.changes.filter(({ kind }) => kind === change.kind);
      if (!removesLast(own, context)) return noLonger("domain");
      return own.findLast(({ action }) => action === "remove") === change
        ? [
            ...risk("widens", { kind: "restriction-lifted", ...open }),
            ...risk("irreversible", { kind: "restriction-stays-lifted" }),
          ]
        : [];
    }
    case "reorder":
      return [];
  }
}

const FIELDS = new PropertyTable({
  allow_subdomains: off(
    "Whether addresses of subdomains, of every depth, count too. A new domain without this field does not count them.",
  ),
});

const domainForm = once(() =>
  z.strictObject({
    ...FIELDS.forms(),
    absent: flag("`true` removes the domain under any policy."),
    lift_restriction: optional(
      z.literal(true),
      "Together with `absent: true`: this may be the last domain. After that, anybody may join.",
    ),
  }),
);
type Domain = z.infer<ReturnType<typeof domainForm>>;

/** The column of the database; the server's own check allows 255, and then fails (zulip-api.md §7.2). */
const MAX_DOMAIN_LENGTH = 80;

/** As the server stores it. */
export function canonicalDomain(name: string): string {
  return strip(name).toLowerCase();
}

/**
 * Why the server would not accept a domain; undefined when it would (zulip-api.md §7.2).
 * @param name in canonical form
 */
export function domainCause(name: string): DomainCause | undefined {
  const domain = quote(name, "domain");
  if (name === "") return { cause: "empty" };
  if (name.includes("@")) return { cause: "address", domain, rest: quote(name.slice(name.indexOf("@") + 1), "domain") };
  if (name.startsWith("*.")) return { cause: "wildcard", rest: quote(name.slice(2), "domain") };
  if (/\P{ASCII}/u.test(name)) return { cause: "not-ascii", domain, ...asciiForm(name) };
  if (!name.includes(".")) return { cause: "no-dot", domain };
  const length = codePoints(name);
  if (length > MAX_DOMAIN_LENGTH) return { cause: "too-long", length, limit: MAX_DOMAIN_LENGTH };
  if (name.startsWith(".") || name.endsWith(".")) return { cause: "outer-dot", domain };
  for (const label of name.split(".")) {
    if (label === "") return { cause: "two-dots", domain };
    if (label.startsWith("-") || label.endsWith("-")) return { cause: "hyphen", domain, label: quote(label) };
    const character = /[^a-z0-9-]/.exec(label)?.[0];
    if (character !== undefined) return { cause: "character", domain, character: quote(character) };
  }
  return undefined;
}

/** The ASCII form of an internationalised name is what mail servers see. */
function asciiForm(domain: string): { readonly ascii?: Quoted } {
  const url = `http://${domain}`;
  return defined({ ascii: URL.canParse(url) ? quote(new URL(url).hostname, "domain") : undefined });
}

const docs: DocsFacet = {
  about: "They decide who may join only if the organization is restricted to them. Only owners may change them.",
  who: "Owners; administrators may not.",
  defaults: FIELDS.standardsInWords(),
  example: `domains:
  example.org: {allow_subdomains: true}`,
};

const ADDED = allAdded("domain");

const subdomains = ({ fields }: Change) => ({
  allow_subdomains: fieldIn(fields, "allow_subdomains")?.after === true,
});

/**
 * Domains are added before any is removed: the server lifts the restriction to domains with the last one, and a domain that is added afterwards does
 * not restore it (zulip-api.md §7.3). If one cannot be added, none is removed. They are sent nearly last, so that everything that must be closed is
 * closed before more people can join; before invitations, which may need a domain.
 */
const domainCalls = oneForEach({
  create: (change) => ({
    operation: "add-realm-domain",
    params: { domain: change.name, ...subdomains(change) },
    provides: [ADDED],
    rank: 150,
  }),
  update: (change) => ({
    operation: "update-realm-domain",
    path: { domain: change.name },
    params: subdomains(change),
    provides: [written(change.address)],
    rank: 151,
  }),
  remove: ({ address, name }) => ({
    operation: "remove-realm-domain",
    path: { domain: name },
    needs: [ADDED],
    provides: [removed(address)],
    rank: 152,
  }),
});

/**
 * A domain whose addresses may join, if the organization is restricted to domains. Lower-case; its text is its identity and cannot be changed
 * (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 * @see zulip-api.md §7 https://zulip.com/api/add-realm-domain
 */
export const domain: MapKind<Domain> = {
  name: "domain",
  section: "domains",
  shape: "map",
  noun: ["domain", "domains"],
  identity: { keyOf: canonicalDomain, canonicalName: canonicalDomain },
  file: {
    schema: domainForm,
    fields: FIELDS.specs(),
    decode: decodeDomain,
  },
  live: { read: liveDomains },
  diff: { defaults: (realm) => FIELDS.standards(realm) },
  review: { check: checkDomains, risks: domainRisks },
  calls: { draft: domainCalls },
  undo: {
    stays: ({ risks }) =>
      risks.some(({ fact }) => fact?.kind === "restriction-stays-lifted")
        ? { effect: "restriction-lifted" }
        : undefined,
  },
  yaml: {
    item: ({ fields }, realm) => FIELDS.toYaml(fields, realm),
    // Everybody with an address of another domain could join.
    opens: (realm) =>
      realm.setting("invite_required") === false && realm.setting("emails_restricted_to_domains") === true,
  },
  secrecy: { name: "public", snapshot: ({ domains }) => ({ domains }) },
  reach: { role: "owner" },
  docs,
};

function liveDomains({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.domains?.map(({ domain, allow_subdomains }) => liveObject(domain, { allow_subdomains }));
}

function decodeDomain(item: Domain, name: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  const cause = domainCause(name);
  if (cause !== undefined) context.report([], finding("domains/name", cause));
  if (item.lift_restriction === true && !absent)
    context.report(["lift_restriction"], finding("domains/lift-restriction", {}));
  return defined({
    absent,
    fields: FIELDS.decode(item, context).fields,
    creation: item.lift_restriction === true ? { lift_restriction: true } : undefined,
  });
}
