/** How outgoing webhook bots are reached. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}
/** Posts one request. Rejects when there is no connection, or no answer in time. */
export type PostWebhook = (request: WebhookRequest) => Promise<{ readonly status: number; readonly body: string }>;
