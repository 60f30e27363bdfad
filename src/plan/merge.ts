import type { DraftCall } from "../model/draft-call.ts";
import type { Address } from "../model/plan.ts";
import { combinedCall } from "./combined-call.ts";

/** Merges calls into another call that can absorb them: their parameters and their purpose join that call's. */
export function merged(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const hosts = new Map<Address, { readonly index: number; readonly params: readonly string[] }[]>();
  const result: (DraftCall | undefined)[] = [...drafts];
  drafts.forEach((draft, index) => {
    if (draft.mergeTarget === undefined) return;
    const known = hosts.get(draft.mergeTarget.address) ?? [];
    hosts.set(draft.mergeTarget.address, [...known, { index, params: draft.mergeTarget.params }]);
  });
  drafts.forEach((draft, index) => {
    const { mergeInto } = draft;
    if (mergeInto === undefined) return;
    // The last call that writes an object changes its privacy, and the default flag has to be sent with it.
    const host = hosts
      .get(mergeInto.address)
      ?.findLast(({ params }) => Object.keys(mergeInto.params).every((name) => params.includes(name)));
    if (host === undefined || host.index === index) return;
    const into = result[host.index];
    // The host itself has joined another call.
    if (into === undefined) return;
    result[host.index] = {
      ...into,
      ...combinedCall([into, draft]),
      params: { ...into.params, ...mergeInto.params },
      riders: [...(into.riders ?? []), draft],
    };
    result[index] = undefined;
  });
  return result.filter((draft) => draft !== undefined);
}
