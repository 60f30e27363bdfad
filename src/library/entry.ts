import * as library from "../index.ts";
import { aString } from "../model/argument.ts";
import {
  aFlag,
  aFunction,
  aNumber,
  anObject,
  checked,
  checkedLater,
  fields,
  listOf,
  maybe,
  objects,
} from "./checks.ts";
import * as form from "./forms.ts";

export * from "../index.ts";

/*
 * The code that the package runs: every public function with a check of its arguments, instead of the function of the same name in `src/index.ts`. A
 * program without types that passes another form gets one error with a code, before anything is done. The types of the package come from
 * `src/index.ts`, with the documentation of each function.
 */

const LIST = "kinds";
const allowedToday = fields<Parameters<typeof library.holdAgainstToday>[2]>({
  allow: form.strings,
  isBegun: maybe(aFlag),
  made: maybe(anObject),
});
const undoOptions = fields<Parameters<typeof library.planUndo>[2]>({
  reader: form.aReader,
  writer: maybe(form.aWriter),
  isForeignAllowed: maybe(aFlag),
  kinds: maybe(form.kindList),
  allow: maybe(form.strings),
  readJournal: maybe(aFunction),
});
const served = fields<Parameters<typeof library.serve>[1]>({
  port: aNumber,
  hostname: maybe(aString),
  control: maybe(aFunction),
});
const lost = fields<Parameters<typeof library.noLongerProtected>[0]>({
  pattern: aString,
  name: aString,
  to: aString,
  file: maybe(aString),
});
const exported = fields<Parameters<typeof library.exportNotes>[0]>({ profiles: objects, omitted: objects });

export const adopt = checkedLater("adopt", library.adopt, ["options", form.adoptOptions]);
export const adoptable = checkedLater("adoptable", library.adoptable, ["options", form.adoptOptions]);
export const parsePlanFile = checked("parsePlanFile", library.parsePlanFile, ["text", aString], ["file", aString]);
export const planFileText = checkedLater(
  "planFileText",
  library.planFileText,
  ["plan", form.aPlan],
  ["source", form.planSource],
  ["sign", maybe(aFunction)],
);
export const hmacOf = checked("hmacOf", library.hmacOf, ["text", aString], ["secret", aString]);
export const isSignedWith = checked("isSignedWith", library.isSignedWith, ["file", form.planFile], ["secret", aString]);
export const pageOf = checked("pageOf", library.pageOf, ["code", aString]);
export const pageText = checked("pageText", library.pageText, ["page", form.page]);
export const defaultSections = checked(
  "defaultSections",
  library.defaultSections,
  ["snapshot", form.aSnapshot],
  [LIST, form.kindList],
);
export const exportRealm = checkedLater("exportRealm", library.exportRealm, ["options", form.exportOptions]);
export const accessMatrix = checked(
  "accessMatrix",
  library.accessMatrix,
  ["plan", form.aPlan],
  ["snapshot", form.aSnapshot],
);
export const noLongerProtected = checked("noLongerProtected", library.noLongerProtected, ["lost", lost]);
export const notTaken = checked("notTaken", library.notTaken, ["change", form.aChange], ["why", form.whyNotTaken]);
export const exportNotes = checked("exportNotes", library.exportNotes, ["exported", exported]);
export const diagnosticsGithub = checked("diagnosticsGithub", library.diagnosticsGithub, [
  "diagnostics",
  form.diagnostics,
]);
export const diagnosticsJson = checked("diagnosticsJson", library.diagnosticsJson, ["diagnostics", form.diagnostics]);
export const renderDiagnostics = checked("renderDiagnostics", library.renderDiagnostics, [
  "input",
  form.diagnosticsInput,
]);
export const diagnosticsSarif = checked("diagnosticsSarif", library.diagnosticsSarif, ["input", form.sarifInput]);
export const renderDrift = checked(
  "renderDrift",
  library.renderDrift,
  ["drift", form.aDrift],
  ["options", form.driftTextOptions],
);
export const renderPlanHtml = checked(
  "renderPlanHtml",
  library.renderPlanHtml,
  ["plan", form.aPlan],
  ["access", form.accessMatrixForm],
  ["options", form.planHtmlOptions],
);
export const renderDriftHtml = checked(
  "renderDriftHtml",
  library.renderDriftHtml,
  ["drift", form.aDrift],
  ["access", form.accessMatrixForm],
  ["options", maybe(form.driftHtmlOptions)],
);
export const renderDriftJson = checked(
  "renderDriftJson",
  library.renderDriftJson,
  ["drift", form.aDrift],
  ["rules", maybe(form.driftRules)],
);
export const renderPlanJson = checked(
  "renderPlanJson",
  library.renderPlanJson,
  ["plan", form.aPlan],
  ["exitCode", aNumber],
);
export const renderResultJson = checked("renderResultJson", library.renderResultJson, ["result", form.aResult]);
export const renderPlanMarkdown = checked("renderPlanMarkdown", library.renderPlanMarkdown, [
  "input",
  form.planMarkdownInput,
]);
export const redactAccess = checked(
  "redactAccess",
  library.redactAccess,
  ["access", form.accessMatrixForm],
  ["redaction", form.aRedaction],
);
export const redactDiagnostic = checked(
  "redactDiagnostic",
  library.redactDiagnostic,
  ["diagnostic", form.aDiagnostic],
  ["redaction", form.aRedaction],
);
export const redactionOf = checked(
  "redactionOf",
  library.redactionOf,
  ["plans", listOf(form.aPlan)],
  ["snapshot", form.aSnapshot],
  ["hide", form.redactionOptions],
  [LIST, form.kindList],
);
export const redactPlan = checked(
  "redactPlan",
  library.redactPlan,
  ["plan", form.aPlan],
  ["redaction", form.aRedaction],
);
export const redactResult = checked(
  "redactResult",
  library.redactResult,
  ["result", form.aResult],
  ["redaction", form.aRedaction],
);
export const redactUndoNotes = checked(
  "redactUndoNotes",
  library.redactUndoNotes,
  ["notes", form.undoNotes],
  ["redaction", form.aRedaction],
);
export const renderResult = checked(
  "renderResult",
  library.renderResult,
  ["result", form.aResult],
  ["options", form.resultTextOptions],
);
export const renderPlan = checked(
  "renderPlan",
  library.renderPlan,
  ["plan", form.aPlan],
  ["options", form.planTextOptions],
);
export const renderUndoNotes = checked(
  "renderUndoNotes",
  library.renderUndoNotes,
  ["notes", form.undoNotes],
  ["style", form.style],
  ["all", aFlag],
);
export const createSandbox = checked("createSandbox", library.createSandbox, ["options", form.sandboxOptions]);
export const serve = checkedLater("serve", library.serve, ["sandbox", form.aSandbox], ["options", served]);
export const formatYaml = checked("formatYaml", library.formatYaml, ["text", aString]);
export const answerAccess = checkedLater(
  "answerAccess",
  library.answerAccess,
  ["asked", form.accessQuestion],
  ["basis", form.accessBasis],
);
export const answerAccessChanges = checkedLater(
  "answerAccessChanges",
  library.answerAccessChanges,
  ["asked", form.accessQuestion],
  ["planned", form.plannedAccess],
);
export const applyRealm = checkedLater(
  "applyRealm",
  library.applyRealm,
  ["plan", form.aPlan],
  ["options", form.applyOptions],
);
export const findEarlierRuns = checked(
  "findEarlierRuns",
  library.findEarlierRuns,
  ["directory", aString],
  ["realmUrl", aString],
  ["options", form.earlierRunsOptions],
);
export const guardUndo = checkedLater(
  "guardUndo",
  library.guardUndo,
  ["plan", form.aPlan],
  ["snapshot", form.aSnapshot],
  ["options", form.undoGuardOptions],
);
export const validateRealm = checkedLater("validateRealm", library.validateRealm, ["options", form.loadWithKinds]);
export const redactionOfFiles = checked(
  "redactionOfFiles",
  library.redactionOfFiles,
  ["texts", form.strings],
  ["hide", form.hideInFiles],
  [LIST, form.kindList],
  ["known", maybe(form.knownOfNames)],
);
export const snapshotFor = checkedLater("snapshotFor", library.snapshotFor, ["options", form.loadWithReader]);
export const answerRules = checkedLater(
  "answerRules",
  library.answerRules,
  ["rules", form.load],
  ["against", form.against],
  ["file", aString],
);
export const holdAgainstToday = checkedLater(
  "holdAgainstToday",
  library.holdAgainstToday,
  ["saved", form.savedPlan],
  ["now", form.aSnapshot],
  ["options", allowedToday],
);
export const openSavedPlan = checkedLater(
  "openSavedPlan",
  library.openSavedPlan,
  ["text", aString],
  ["file", aString],
  [
    "options",
    maybe(
      fields<library.OpenSavedOptions>({
        allow: maybe(form.strings),
        policies: maybe(objects),
        isVouchedFor: maybe(aFlag),
      }),
    ),
  ],
);
export const suggestRules = checkedLater("suggestRules", library.suggestRules, ["against", form.against]);
export const planUndo = checkedLater(
  "planUndo",
  library.planUndo,
  ["text", aString],
  ["file", aString],
  ["options", undoOptions],
);
export const watchDrift = checkedLater("watchDrift", library.watchDrift, ["ports", form.watchPorts]);
export const driftOf = checked("driftOf", library.driftOf, ["plan", form.aPlan]);
export const planRealm = checkedLater("planRealm", library.planRealm, ["options", form.planOptions]);
export const createClient = checked("createClient", library.createClient, ["options", form.clientOptions]);
export const readCredentials = checkedLater(
  "readCredentials",
  library.readCredentials,
  ["source", form.credentialSource],
  ["flags", form.credentialFlags],
);
export const openNetwork = checked("openNetwork", library.openNetwork, ["options", maybe(form.networkOptions)]);
export const inProcess = checked("inProcess", library.inProcess, ["serve", aFunction]);
