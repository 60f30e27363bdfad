import { clean } from "../../model/clean.ts";
import { momentText, realmName } from "../layout.ts";
import { dotted, type Style, wrap } from "../style.ts";

/** What a valid file declares, and what it was checked against. */
export interface ValidFile {
  readonly file: string;
  /** The declared objects: "9 channels", "2 linkifiers". */
  readonly contents: readonly string[];
  /** The reading; undefined if the file was validated alone. */
  readonly against?: { readonly url: string; readonly takenAt: string };
}

export function validText({ file, contents, against }: ValidFile, style: Style): string {
  const held =
    against === undefined
      ? "Names of groups and people were not checked: that needs --live or --snapshot."
      : `Checked against ${realmName(against.url)}, read ${momentText(against.takenAt)}.`;
  const has = contents.length === 0 ? "it has no section" : dotted(style, contents);
  return `${wrap(`${clean(file)} is valid: ${has}. ${held}`, style.width).join("\n")}\n`;
}
