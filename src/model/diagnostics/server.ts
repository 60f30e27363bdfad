import type { NoAnswer } from "./no-answer.ts";
import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Errors of a server that gives no answer, or no usable one. */
export interface ServerFacts {
  readonly "file/changed": { readonly file: Word };
  readonly "file/not-there": { readonly file: Word; readonly why?: Unreadable };
  readonly "zulip/bots-see-no-invites": { readonly email: Quoted };
  readonly "zulip/deadline": AtSite & { readonly limit_seconds: number };
  readonly "zulip/guest": { readonly email: Quoted; readonly site: Word };
  readonly "zulip/no-realm": AtSite;
  readonly "zulip/not-allowed": Refusal;
  readonly "zulip/refused": Refusal;
  readonly "zulip/unauthorized": Refusal & {
    /** The sources of the address and the key. */
    readonly origin?: { readonly email: Word; readonly key: Word };
    /** Why the account cannot be used although the key is right. */
    readonly cause?: "deactivated" | "no-organization" | "webhook-bot";
  };
  readonly "zulip/not-zulip": AtSite &
    ({ readonly expects: "https" } | ({ readonly expects?: never } & FromSomethingElse));
  readonly "zulip/proxy": Unreached & { readonly detail?: ConnectionDetail };
  readonly "zulip/rate-limited": AtSite;
  readonly "zulip/redirect": AtSite & { readonly status: number } & RedirectTarget;
  readonly "zulip/server-error": AtSite & { readonly status: number };
  readonly "zulip/stopped": Nothing;
  readonly "zulip/timeout": Unreached & { readonly never_sent: boolean };
  readonly "zulip/tls": Unreached & {
    readonly detail?: ConnectionDetail;
    readonly is_loopback: boolean;
    /** The file of certificates that is used instead of the system's. */
    readonly bundle?: Word;
  };
  readonly "zulip/too-large": Unreached;
  readonly "zulip/too-old": AtSite & {
    readonly version: Quoted;
    readonly level: number;
    readonly oldest_level: number;
  };
  readonly "zulip/turned-away": AtSite & { readonly cause: "login" | "blocked" | "too-large" } & FromSomethingElse;
  readonly "zulip/unexpected-answer": AtSite &
    (
      | ({ readonly refused: AnswerBound } & FromSomethingElse)
      | { readonly details: readonly UnexpectedPart[]; readonly more: number }
    );
  readonly "zulip/unknown-host": { readonly host: Word };
  readonly "zulip/unreachable": Unreached & { readonly detail?: ConnectionDetail; readonly is_loopback: boolean };
}

interface AtSite {
  readonly site: Word;
}

interface Unreached extends AtSite {
  readonly reason: NoAnswer;
}

interface Refusal extends AtSite {
  readonly email: Quoted;
  readonly answer: Quoted;
}

/** @property server the name of the server in its answer; absent if the answer has none */
interface FromSomethingElse {
  readonly status: number;
  /** It is the beginning of an answer of Zulip. */
  readonly is_cut?: true;
  readonly server?: Quoted;
}

/** A limit that answers of Zulip servers never reach. @property most the number of levels or values, or of characters in a refusal */
export interface AnswerBound {
  readonly cause: "too-deep" | "too-many" | "too-long";
  readonly most: number;
}

/** A part of an answer that does not have the form that servers send. */
export interface UnexpectedPart {
  /** The path of the part: `users[3].role`; absent for the answer as a whole. */
  readonly part?: Word;
  readonly cause: FormCause;
}

/** An error in the form of one part of an answer or a snapshot. */
export type FormCause =
  | { readonly is: "missing" | "other" }
  /** `expected` is the name of a JSON type, or `int`. */
  | { readonly is: "type"; readonly expected: Word }
  | { readonly is: "unknown"; readonly keys: readonly Quoted[] }
  | { readonly is: "value"; readonly allowed: readonly Word[] };

export type RedirectTarget =
  | { readonly to: "nowhere" }
  | {
      readonly to: "moved" | "other-host";
      readonly target: Word;
      /** The address of the organization there. */
      readonly url: Word;
    }
  | { readonly to: "sign-in" | "same-host"; readonly target: Word };

/** The obstacle to a request, if each needs a different remedy. */
export type ConnectionDetail =
  | "refused"
  | "no-route"
  | "lookup"
  | "blocked"
  | "not-http"
  | "not-https"
  | "other-name"
  | "expired"
  | "unknown-issuer"
  | "client-certificate"
  | "proxy-credentials"
  | "proxy-refuses"
  | "proxy-unreachable";
