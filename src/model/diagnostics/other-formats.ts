import { say, type Words } from "./words.ts";

/** What a file is that is not YAML: the error, and the advice. */
export const OTHER_FORMATS = {
  fence: [
    "this line is the fence of a code block in Markdown, not YAML",
    "delete it, and the other fence and whatever is outside of them: the file is what is between the two",
  ],
  html: [
    "this is a web page (HTML or XML), not YAML",
    'save the file itself instead of the page that shows it: on GitHub and GitLab that is "Raw"',
  ],
  zuliprc: [
    "this is a zuliprc, which has the key of an account, not a configuration",
    "name it with --zuliprc or in ZULIP_CONFIG, keep it out of the repository, and name the YAML file here",
  ],
  lfs: ["this is only a pointer: Git LFS has the file itself", "fetch it: git lfs pull"],
  diff: ["this is a difference between two files, not a file", "apply it (git apply), or save the whole file"],
  terraform: [
    "this is a file of Terraform or OpenTofu (HCL), not YAML",
    "realmctl export writes a first YAML file from the organization",
  ],
  key: ["this is a key or a certificate, not YAML", "keep it out of the repository, and name the YAML file here"],
  "line-numbers": [
    "these lines were copied with what an editor or a message shows beside them: numbers, or a frame",
    "delete what is before the text of each line, or copy the lines from the file itself",
  ],
  "added-lines": [
    "a + in front of a line is the sign of a difference between two files",
    "delete the + of each line, and the lines that start with -; or apply it (git apply)",
  ],
  "quoted-lines": ["these lines are quoted: each starts with >", "delete the > of each line"],
  program: [
    "this is a program or a script, not YAML",
    "name the YAML file: it starts with version: 1, and realmctl init writes a first one",
  ],
  rego: [
    "this is a policy in Rego, for OPA, which realmctl does not read",
    'write guard rails as "version: 1" and "policy: {limits: {removals: 5}, protect: [channel:general]}" (docs/policy.md)',
  ],
  markdown: ["this is a table of Markdown, not YAML", 'write "key: value", and fields indented below their section'],
  csv: [
    "this is a table (CSV), not YAML",
    'write "version: 1", the name of a section with a colon, and below it an entry with its fields for each row: "name: {field: value}"',
  ],
  terminal: ["this line was copied from a terminal and is not YAML", "delete it"],
  slashes: ["this is not YAML: // and /* start no comment", "a comment is a line that starts with #"],
  environment: [
    "this is a list of environment variables, not YAML",
    "set them in the shell that runs realmctl, keep keys out of the repository, and name the YAML file here",
  ],
  toml: [
    "this is TOML or INI, not YAML: = sets nothing",
    'write "key: value", and fields indented below their section',
  ],
} satisfies { readonly [format: string]: readonly [message: string, hint: string] };
export type OtherFormat = keyof typeof OTHER_FORMATS;

/** The file of another program, in YAML or JSON. */
const OTHER_FILES = {
  kubernetes: "a manifest of Kubernetes",
  helm: "a chart of Helm",
  compose: "a file of Docker Compose",
  octodns: "a configuration of octoDNS",
  pulumi: "a project of Pulumi",
  dependabot: "a configuration of Dependabot",
  deck: "a file of decK",
  github: "a workflow of GitHub Actions",
  gitlab: "a pipeline of GitLab CI",
  ansible: "a playbook or role of Ansible",
  terraform: "a file of Terraform or OpenTofu",
  cloudformation: "a template of CloudFormation",
  openapi: "a description of an API (OpenAPI)",
  package: "a package.json",
  "zulip-export": "an export of Zulip's data",
  "zulip-answer": "an answer of Zulip's API",
  "slack-export": "an export of Slack's data",
} as const;
export type OtherFile = keyof typeof OTHER_FILES;

/** A file of another program, which is YAML or JSON. */
export const fileOfWords = (file: OtherFile): Words =>
  say(
    `this is ${OTHER_FILES[file]}, not the file of an organization`,
    "name the file of the organization; realmctl init writes a first one from the server",
  );
