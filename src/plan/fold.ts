import type { DraftCall } from "../model/kind.ts";
import type { Address } from "../model/plan.ts";

/** Calls that another call can take along go out with it: its parameters join that call's, and so does what it is for. */
export function folded(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const hosts = new Map<Address, { index: number; readonly params: readonly string[] }>();
  const result: (DraftCall | undefined)[] = [...drafts];
  drafts.forEach((draft, index) => {
    // The last call that writes an object is the one that changes its privacy, which the default flag has to go with.
    if (draft.accepts !== undefined) hosts.set(draft.accepts.address, { index, params: draft.accepts.params });
  });
  drafts.forEach((draft, index) => {
    const { fold } = draft;
    if (fold === undefined) return;
    const host = hosts.get(fold.address);
    const into = host === undefined ? undefined : result[host.index];
    if (host === undefined || into === undefined || host.index === index) return;
    if (!Object.keys(fold.params).every((name) => host.params.includes(name))) return;
    result[host.index] = {
      ...into,
      params: { ...into.params, ...fold.params },
      for: [...into.for, ...draft.for],
      expects: [...(into.expects ?? []), ...(draft.expects ?? [])],
      needs: [...(into.needs ?? []), ...(draft.needs ?? [])],
      provides: [...(into.provides ?? []), ...(draft.provides ?? [])],
      creates: [...(into.creates ?? []), ...(draft.creates ?? [])],
    };
    result[index] = undefined;
  });
  return result.filter((draft) => draft !== undefined);
}
