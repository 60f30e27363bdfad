import { own } from "./defined.ts";
import type { Span } from "./fact-forms.ts";

export type { Span } from "./fact-forms.ts";

/** The places of one object's fields in the file. Each is looked up when it is needed, since a plan shows few of them. */
export interface FieldSpans {
  /** The place that sets the field (in a profile, if it is inherited); undefined if the file does not set it. */
  of(field: string): Span | undefined;
}

/** A place in no file, which is not shown. */
export const NOWHERE: Span = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Equal for places that begin together. */
export const startOf = ({ file, line, column }: Span): string => `${file}:${line}:${column}`;

/** Places that are known. @param others the places of other fields */
export const spansIn = (places: { readonly [field: string]: Span }, others?: FieldSpans): FieldSpans =>
  new KnownSpans(places, others);

class KnownSpans implements FieldSpans {
  private readonly places: { readonly [field: string]: Span };
  private readonly others: FieldSpans | undefined;

  constructor(places: KnownSpans["places"], others: FieldSpans | undefined) {
    this.places = places;
    this.others = others;
  }

  of(field: string): Span | undefined {
    return own(this.places, field) ?? this.others?.of(field);
  }
}
