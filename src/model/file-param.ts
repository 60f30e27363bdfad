/** A file as the parameter of a call: its identity, never its bytes. */
export type FileParam = Readonly<{ file: string; sha256: string; size_bytes: number; media_type: string }>;

export function isFileParam(value: unknown): value is FileParam {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === 4 &&
    "file" in value &&
    typeof value.file === "string" &&
    "sha256" in value &&
    typeof value.sha256 === "string" &&
    "size_bytes" in value &&
    typeof value.size_bytes === "number" &&
    "media_type" in value &&
    typeof value.media_type === "string"
  );
}

/** Whether a text is a URL, and not the path of a file. */
export const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
