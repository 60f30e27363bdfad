export interface FakeComment {
  id: number;
  pull: number;
  body: string;
  author: string;
  minimised: boolean;
  edits: number;
}

export interface FakeIssue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  state_reason?: string;
  author: string;
  comments: string[];
  edits: number;
}

export interface FakeCheck {
  id: number;
  name: string;
  external_id?: string;
  head_sha: string;
  conclusion: string;
  output: { title: string; summary: string };
  annotations: { path: string; start_line: number; annotation_level: string; message: string }[];
}

export interface FakeArtifact {
  id: number;
  name: string;
  created_at: string;
  files: { [name: string]: string };
  head_sha: string;
  head_branch: string;
  head_repository_id: number;
  /** The size that GitHub reports, if it is not the size of the files here. */
  size_in_bytes?: number;
}

export interface FakeReview {
  user: { login: string };
  state: string;
  commit_id: string;
  submitted_at: string;
  author_association: string;
}

/** The account of a job's token. */
export const BOT = "github-actions[bot]";

export const REPOSITORY_ID = 4711;

export const userOf = (login: string): object => ({ login, type: login.endsWith("[bot]") ? "Bot" : "User" });

export function issueOf({
  number,
  title,
  body,
  state,
  state_reason = null,
  author,
}: Omit<FakeIssue, "state_reason"> & { state_reason?: string | null }): { [field: string]: unknown } {
  return { number, title, body, state, state_reason, user: userOf(author) };
}

export function checkOf({ id, name, external_id, head_sha, conclusion, output, annotations }: FakeCheck): {
  [field: string]: unknown;
} {
  const { title, summary } = output;
  return {
    id,
    name,
    external_id,
    head_sha,
    status: "completed",
    conclusion,
    output: { title, summary, annotations_count: annotations.length },
  };
}

export function artifactOf({ files, head_sha, head_branch, head_repository_id, ...artifact }: FakeArtifact): {
  [field: string]: unknown;
} {
  return {
    ...artifact,
    node_id: `artifact-${artifact.id}`,
    url: `https://api.github.com/repos/acme/chat/actions/artifacts/${artifact.id}`,
    archive_download_url: `https://api.github.com/repos/acme/chat/actions/artifacts/${artifact.id}/zip`,
    expired: false,
    expires_at: artifact.created_at,
    updated_at: artifact.created_at,
    size_in_bytes: artifact.size_in_bytes ?? JSON.stringify(files).length,
    workflow_run: { id: 1, repository_id: REPOSITORY_ID, head_sha, head_branch, head_repository_id },
  };
}
