import type { Code } from "../../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../../model/diagnostics/facts.ts";
import { accessQuestionWords } from "./access-questions.ts";
import { accountWords } from "./accounts.ts";
import { actionWords } from "./action.ts";
import { apiWords } from "./api.ts";
import { channelFolderWords } from "./channel-folders.ts";
import { channelWords } from "./channels.ts";
import { commandFileWords } from "./command-files.ts";
import { commandLineWords } from "./command-line.ts";
import { configWords } from "./config.ts";
import { credentialWords } from "./credentials.ts";
import { defaultChannelWords } from "./default-channels.ts";
import { domainWords } from "./domains.ts";
import { emojiWords } from "./emoji.ts";
import { githubWords } from "./github.ts";
import { guardWords } from "./guards.ts";
import { hostWords } from "./hosts.ts";
import { inviteWords } from "./invites.ts";
import { linkifierWords } from "./linkifiers.ts";
import { navigationViewWords } from "./navigation-views.ts";
import { organizationWords } from "./organizations.ts";
import { planWords } from "./plan.ts";
import { playgroundWords } from "./playgrounds.ts";
import { policyWords } from "./policies.ts";
import { profileFieldWords } from "./profile-fields.ts";
import { referenceWords } from "./references.ts";
import { ruleWords } from "./rules.ts";
import { runWords } from "./runs.ts";
import { serverWords } from "./server.ts";
import { settingsWords } from "./settings.ts";
import { snapshotWords } from "./snapshots.ts";
import { sourceWords } from "./sources.ts";
import { targetWords } from "./targets.ts";
import { userGroupWords } from "./user-groups.ts";
import { variableWords } from "./variables.ts";
import type { Words, WordsOf } from "./words.ts";

// A run without a diagnostic needs none of this: the command line loads it with the first one (scripts/on-call.mjs).

/** Each area's sentences; a code without one is a type error here. */
const WORDS: WordsOf<DiagnosticFacts> = {
  ...accessQuestionWords,
  ...accountWords,
  ...actionWords,
  ...apiWords,
  ...commandFileWords,
  ...commandLineWords,
  ...credentialWords,
  ...runWords,
  ...serverWords,
  ...snapshotWords,
  ...githubWords,
  ...hostWords,
  ...channelFolderWords,
  ...channelWords,
  ...defaultChannelWords,
  ...configWords,
  ...policyWords,
  ...variableWords,
  ...domainWords,
  ...emojiWords,
  ...ruleWords,
  ...guardWords,
  ...inviteWords,
  ...linkifierWords,
  ...navigationViewWords,
  ...planWords,
  ...playgroundWords,
  ...profileFieldWords,
  ...referenceWords,
  ...settingsWords,
  ...sourceWords,
  ...organizationWords,
  ...targetWords,
  ...userGroupWords,
};

/** The sentences of a code and its fact. */
export function wordsOf<C extends Code>({
  code,
  fact,
}: {
  readonly code: C;
  readonly fact: DiagnosticFacts[C];
}): Words {
  return WORDS[code](fact);
}
