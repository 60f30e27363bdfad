import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { namedDiagnostic } from "../report/action/diagnostics.ts";
import { CHECK_OUT, HIDDEN_ACCOUNT } from "../report/action/log.ts";
import {
  NO_REDACTION,
  type Redaction,
  type RedactionOptions,
  redactDiagnostic,
  redactionOf,
} from "../report/redact.ts";
import type { SaidDiagnostic } from "../report/words/diagnostics.ts";
import { knownTexts } from "../source/known-texts.ts";
import { redactionOfFiles } from "../workflow/hidden-in-files.ts";
import type { Files } from "./files.ts";

/**
 * Everything that no output of this job may show. It grows as files and realm are read, so that a failure in between hides all that is known by then:
 * first what the files declare as private, then what is private in the realm, then what a plan makes private.
 */
export class Concealment {
  private readonly hide: RedactionOptions;
  private readonly files = new Set<Files>();
  /** The addresses that are always hidden. */
  private readonly own = new Map<string, string>();
  private realm: readonly Redaction[] = [];
  private cached: { readonly of: string; readonly redaction: Redaction } = { of: "", redaction: NO_REDACTION };

  constructor(hide: RedactionOptions) {
    this.hide = hide;
  }

  /** Hides what these files declare as private, in everything that they have read when a message is written. */
  watch(files: Files): void {
    this.files.add(files);
  }

  /** Hides the address of the account whose key the job has: readers of a check need not know it. */
  account(address: string | undefined): void {
    if (this.hide.people && address?.includes("@") === true) this.own.set(address.toLowerCase(), HIDDEN_ACCOUNT);
  }

  /** Hides private channels and invitations only: for texts that go into files that name people. */
  forFiles(plans: readonly Plan[], snapshot: Snapshot): Redaction {
    return redactionOf(plans, snapshot, { ...this.hide, people: false }, kinds);
  }

  /** @returns a function that hides the names of this reading and of these plans */
  know(plans: readonly Plan[], snapshot: Snapshot): Redaction {
    const redaction = redactionOf(plans, snapshot, { ...this.hide, known: this.knownTexts() }, kinds);
    // The newest redaction is first: it knows the most, and the report uses its numbers.
    if (redaction.size > 0) this.realm = [redaction, ...this.realm];
    return redaction;
  }

  /** A reader that registers every reading here before anybody else sees it. */
  reader(reader: ZulipReader): ZulipReader {
    return {
      snapshot: async (request) => {
        const snapshot = await reader.snapshot(request);
        this.know([], snapshot);
        return snapshot;
      },
    };
  }

  /** Errors and warnings for other readers: without hidden names, without the realm's choices, and with advice for a workflow. */
  said(diagnostics: readonly Diagnostic[]): readonly SaidDiagnostic[] {
    return diagnostics.map((diagnostic) => {
      const {
        footnotes: _,
        named,
        ...rest
      } = namedDiagnostic([...this.realm, this.written()].reduce(redactDiagnostic, diagnostic));
      return rest.code === "config/cannot-read" && rest.at === undefined
        ? { ...rest, hint: CHECK_OUT }
        : { ...rest, ...defined({ named }) };
    });
  }

  private knownTexts(): ReadonlySet<string> {
    return knownTexts(this.texts());
  }

  private texts(): readonly string[] {
    return [...this.files].flatMap(({ texts }) => [...texts.values()]);
  }

  private written(): Redaction {
    const texts = this.texts();
    const { realm, own: addresses } = this;
    // Texts and readings are only ever added.
    const of = [texts.length, realm.length, addresses.size].join();
    if (of !== this.cached.of)
      this.cached = { of, redaction: redactionOfFiles(texts, this.hide, kinds, { realm, addresses }) };
    return this.cached.redaction;
  }
}
