import { type Persona, personaName } from "../../access/personas.ts";
import { clean } from "../../model/clean.ts";
import { listNames } from "../../model/words.ts";
import { momentText } from "../layout.ts";

/** The sources of answers: parts of a heading. */
export const asFileSays = (file: string): string => `as ${clean(file)} alone says`;
export const onceApplied = (file: string): string => `once ${clean(file)} is applied`;
export const readWhen = (takenAt: string): string => `read ${momentText(takenAt)}`;
export const byThePlan = (file: string): string => `Access by the plan of ${clean(file)}`;

/** The subject of an answer. */
export const accountName = (fullName: string | undefined, id: number): string => fullName ?? `account ${id}`;
export const inventedName = (persona: Persona): string => `somebody: ${personaName(persona)}`;
export const SUBSCRIBED_TO_NOTHING = "subscribed to nothing";
export const IS_DEACTIVATED = "deactivated";
export const inGroups = (names: readonly string[]): string => (names.length === 0 ? "" : `in ${listNames(names)}`);
