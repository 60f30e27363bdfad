/** One request to an outgoing webhook bot. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}
/** Posts one request. Rejects if there is no connection, or no answer in time. */
export type PostWebhook = (request: WebhookRequest) => Promise<{ readonly status: number; readonly body: string }>;
