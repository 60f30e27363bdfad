import { own } from "./own.ts";

/** A stretch of one file, counted from 1 (columns in UTF-16 units); the end is exclusive. */
export type Span = Readonly<{ file: string; line: number; column: number; endLine: number; endColumn: number }>;

/** Where the file sets the fields of one object. A place is looked up when it is asked for: a plan shows few of them. */
export interface FieldSpans {
  /** The YAML that set the field (in a profile, when inherited); undefined if the file does not set it. */
  of(field: string): Span | undefined;
}

/** Places that are known. @param others where other fields are */
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
