import { type Dependency, nameFree } from "../../model/dependency.ts";
import { temporaryName } from "../../model/temporary-name.ts";

/**
 * The temporary pattern of a linkifier while others take its own. It still matches everything that the new pattern matches, so the example and the
 * templates that are sent with it stay valid. Patterns have no maximum length.
 */
export function patternInBetween(target: string, id: number, spare?: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY, spare);
}

/** No linkifier has the pattern. */
export function freePattern(pattern: string): Dependency {
  return nameFree("linkifier", pattern);
}
