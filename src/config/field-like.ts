import { isRightName } from "../model/permission-settings.ts";
import { didYouMean, type Patience, shortFor } from "../model/suggest.ts";

/**
 * The field whose name is similar. What all names of rights have in common makes no two of them similar: can_pin_messages_group is not a misspelt
 * can_send_message_group.
 */
export function fieldLike(word: string, known: readonly string[], patience: Patience): string | undefined {
  if (!isRightName(word)) return didYouMean(word, known, patience) ?? shortFor(word, known);
  const parts = (name: string): readonly string[] => name.replace(/^can_|_group$/g, "").split("_");
  const written = parts(word);
  // Of as many words, each must be similar: one that means something else is no misspelling.
  const similar = known.filter((name) => {
    const own = parts(name);
    if (!isRightName(name) || own.length !== written.length) return true;
    return own.every((part, at) => part === written[at] || didYouMean(written[at] ?? "", [part], patience) === part);
  });
  return didYouMean(word, similar, patience);
}
