import { everybody } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { bool, codePoints, json, required, text } from "./params.ts";
import { stripped } from "./python.ts";
import type { Domain } from "./rows/organization.ts";
import type { RealmState } from "./state.ts";

/** The database column is shorter than what the validator accepts. */
const COLUMN_LENGTH = 80;
const MAX_LENGTH = 255;

/** @throws ApiError with the server's words, in the server's order (zulip-api.md §7.2) */
function checkDomain(domain: string): void {
  const reason = whyInvalid(domain);
  if (reason !== undefined) throw new ApiError(`Invalid domain: ${reason}`);
}
function whyInvalid(domain: string): string | undefined {
  if (domain === "") return "Domain can't be empty.";
  if (!domain.includes(".")) return "Domain must have at least one dot (.)";
  if (codePoints(domain) > MAX_LENGTH) return "Domain is too long";
  if (domain.startsWith(".") || domain.endsWith(".")) return "Domain cannot start or end with a dot (.)";
  for (const label of domain.split(".")) {
    if (label === "") return "Consecutive '.' are not allowed.";
    if (label.startsWith("-") || label.endsWith("-")) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]*$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return undefined;
}

function find(state: RealmState, domain: string): Domain {
  const found = state.domains.find((each) => each.domain === domain);
  if (found === undefined) throw new ApiError(`No entry found for domain ${domain}.`);
  return found;
}

/** Allowed e-mail domains (zulip-api.md §7). */
export const domainEndpoints = [
  defineEndpoint("GET /realm/domains", {
    handler: ({ state }) => ({ domains: state.domains.map((domain) => ({ ...domain })) }),
  }),
  defineEndpoint("POST /realm/domains", {
    who: ["owner"],
    params: { allow_subdomains: required(json(bool)), domain: required(text()) },
    handler(call, { domain: sent, allow_subdomains }) {
      const domain = stripped(sent).toLowerCase();
      checkDomain(domain);
      if (call.state.domains.some((each) => each.domain === domain))
        throw new ApiError(`The domain ${domain} is already a part of your organization.`);
      if (domain.length > COLUMN_LENGTH) throw new ApiError("Internal server error", { status: 500, code: null });
      const id = call.ledger.nextId("domain");
      call.ledger.set(call.state, "domains", [...call.state.domains, { domain, allow_subdomains }]);
      call.emit(everybody, { type: "realm_domains", op: "add", realm_domain: { domain, allow_subdomains } });
      return { new_domain: [id, domain] };
    },
  }),
  defineEndpoint("PATCH /realm/domains/{domain:str}", {
    who: ["owner"],
    params: { allow_subdomains: required(json(bool)) },
    handler(call, { domain, allow_subdomains }) {
      call.ledger.set(find(call.state, domain), "allow_subdomains", allow_subdomains);
      call.emit(everybody, { type: "realm_domains", op: "change", realm_domain: { domain, allow_subdomains } });
    },
  }),
  defineEndpoint("DELETE /realm/domains/{domain:str}", {
    who: ["owner"],
    params: {},
    handler(call, { domain }) {
      const removed = find(call.state, domain);
      const left = call.state.domains.filter((each) => each !== removed);
      call.ledger.set(call.state, "domains", left);
      if (left.length === 0 && call.state.realm.emails_restricted_to_domains === true) {
        // Without a domain nobody could join, so removing the last domain also ends the restriction.
        call.ledger.set(call.state.realm, "emails_restricted_to_domains", false);
        call.emit(everybody, { type: "realm", op: "update", property: "emails_restricted_to_domains", value: false });
      }
      call.emit(everybody, { type: "realm_domains", op: "remove", domain });
    },
  }),
];
