import type { AccessQuestionFacts } from "./access-questions.ts";
import type { AccountFacts } from "./accounts.ts";
import type { ActionFacts } from "./action.ts";
import type { ApiFacts } from "./api.ts";
import type { ChannelFolderFacts } from "./channel-folders.ts";
import type { ChannelFacts } from "./channels.ts";
import type { CommandFileFacts } from "./command-files.ts";
import type { CommandLineFacts } from "./command-line.ts";
import type { ConfigFacts } from "./config.ts";
import type { CredentialFacts } from "./credentials.ts";
import type { DefaultChannelFacts } from "./default-channels.ts";
import type { DomainFacts } from "./domains.ts";
import type { EmojiFacts } from "./emoji.ts";
import type { GithubFacts } from "./github.ts";
import type { GuardDiagnosticFacts } from "./guards.ts";
import type { HostFacts } from "./hosts.ts";
import type { InviteFacts } from "./invites.ts";
import type { LinkifierFacts } from "./linkifiers.ts";
import type { NavigationViewFacts } from "./navigation-views.ts";
import type { OrganizationFacts } from "./organizations.ts";
import type { PlanFacts } from "./plan.ts";
import type { PlaygroundFacts } from "./playgrounds.ts";
import type { PolicyFacts } from "./policies.ts";
import type { ProfileFieldFacts } from "./profile-fields.ts";
import type { ReferenceFacts } from "./references.ts";
import type { RuleFacts } from "./rules.ts";
import type { RunFacts } from "./runs.ts";
import type { ServerFacts } from "./server.ts";
import type { SettingsFacts } from "./settings.ts";
import type { SnapshotFacts } from "./snapshots.ts";
import type { SourceFacts } from "./sources.ts";
import type { TargetFacts } from "./targets.ts";
import type { UserGroupFacts } from "./user-groups.ts";
import type { VariableFacts } from "./variables.ts";

/**
 * Code → the facts of a diagnostic with this code. Each area has a file in this folder and a line below. The sentences are in
 * `src/report/words/diagnostics/`, where a code without a sentence is a type error (docs/internals/decisions/0007-findings-are-facts.md).
 */
export interface DiagnosticFacts
  extends AccessQuestionFacts,
    AccountFacts,
    ActionFacts,
    ApiFacts,
    CommandFileFacts,
    CommandLineFacts,
    CredentialFacts,
    RunFacts,
    ServerFacts,
    SnapshotFacts,
    GithubFacts,
    HostFacts,
    ChannelFolderFacts,
    ChannelFacts,
    DefaultChannelFacts,
    ConfigFacts,
    PolicyFacts,
    VariableFacts,
    DomainFacts,
    EmojiFacts,
    GuardDiagnosticFacts,
    InviteFacts,
    LinkifierFacts,
    NavigationViewFacts,
    PlanFacts,
    PlaygroundFacts,
    ProfileFieldFacts,
    ReferenceFacts,
    SettingsFacts,
    SourceFacts,
    RuleFacts,
    OrganizationFacts,
    TargetFacts,
    UserGroupFacts {}
