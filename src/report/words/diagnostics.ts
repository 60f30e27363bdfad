import { defined } from "../../model/defined.ts";
import type { Code, Diagnostic, DiagnosticHead, Note, NoteFact, Span } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/facts.ts";
import { accessQuestionWords } from "./diagnostics/access-questions.ts";
import { accountWords } from "./diagnostics/accounts.ts";
import { actionWords } from "./diagnostics/action.ts";
import { apiWords } from "./diagnostics/api.ts";
import { channelFolderWords } from "./diagnostics/channel-folders.ts";
import { channelWords } from "./diagnostics/channels.ts";
import { commandFileWords } from "./diagnostics/command-files.ts";
import { commandLineWords } from "./diagnostics/command-line.ts";
import { configWords } from "./diagnostics/config.ts";
import { credentialWords } from "./diagnostics/credentials.ts";
import { defaultChannelWords } from "./diagnostics/default-channels.ts";
import { domainWords } from "./diagnostics/domains.ts";
import { emojiWords } from "./diagnostics/emoji.ts";
import { githubWords } from "./diagnostics/github.ts";
import { guardWords } from "./diagnostics/guards.ts";
import { hostWords } from "./diagnostics/hosts.ts";
import { inviteWords } from "./diagnostics/invites.ts";
import { linkifierWords } from "./diagnostics/linkifiers.ts";
import { navigationViewWords } from "./diagnostics/navigation-views.ts";
import { organizationWords } from "./diagnostics/organizations.ts";
import { planWords } from "./diagnostics/plan.ts";
import { playgroundWords } from "./diagnostics/playgrounds.ts";
import { policyWords } from "./diagnostics/policies.ts";
import { profileFieldWords } from "./diagnostics/profile-fields.ts";
import { referenceWords } from "./diagnostics/references.ts";
import { ruleWords } from "./diagnostics/rules.ts";
import { runWords } from "./diagnostics/runs.ts";
import { serverWords } from "./diagnostics/server.ts";
import { settingsWords } from "./diagnostics/settings.ts";
import { snapshotWords } from "./diagnostics/snapshots.ts";
import { sourceWords } from "./diagnostics/sources.ts";
import { targetWords } from "./diagnostics/targets.ts";
import { userGroupWords } from "./diagnostics/user-groups.ts";
import { variableWords } from "./diagnostics/variables.ts";
import { bare, type Words, type WordsOf } from "./diagnostics/words.ts";

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

/** A diagnostic in words, if it is not one already: its facts get their sentences here and nowhere else. */
export function wordedDiagnostic(diagnostic: Diagnostic | SaidDiagnostic): SaidDiagnostic {
  if ("message" in diagnostic) return diagnostic;
  const { code, severity, at, unquotable, notes } = diagnostic;
  const { message, hint, footnotes } = wordsOf(diagnostic);
  return {
    code,
    severity,
    message,
    ...defined({ hint, footnotes, at, unquotable, notes: notes === undefined ? undefined : notes.map(wordedNote) }),
  };
}

/** A diagnostic as a reader sees it. */
export interface SaidDiagnostic extends DiagnosticHead {
  readonly code: Code;
  /** One sentence: what is wrong, naming the thing. */
  readonly message: string;
  /** One sentence: what to do about it. */
  readonly hint?: string;
  /** Further facts, one line each, below the code frame: which choices there are. */
  readonly footnotes?: readonly string[];
  readonly notes?: readonly SaidNote[];
}

export interface SaidNote {
  readonly at: Span;
  readonly message: string;
}

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

const wordedNote = ({ at, note }: Note): SaidNote => ({ at, message: noteText(note) });

function noteText(note: NoteFact): string {
  if (typeof note === "string") return NOTES[note];
  if ("value_of" in note) return `the value of \${${bare(note.value_of)}} is written here`;
  return `${note.one_of.address} is one of them`;
}

const NOTES: { readonly [N in Extract<NoteFact, string>]: string } = {
  "archived-here": "archived here",
  "first-here": "first here",
  "type-here": "declared here",
  "claimed-here": "first claimed here",
  "opposite-here": "the opposite here",
  "written-here": "first written here",
  "opened-here": "opened here",
  "default-here": "made a default channel here",
  "declared-here": "first declared here",
  "not-declared": "objects that are not declared are removed",
  "put-away-here": "archived or deactivated here",
  "removed-here": "removed here",
  "rule-here": "the rule is written here",
};
