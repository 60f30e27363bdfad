import { createHmac, timingSafeEqual } from "node:crypto";
import type { PlanFile, PlanSignature } from "./plan-file.ts";

/** This prefix of the signed text prevents that a signature of something else with the same key is valid for a plan. */
export const SIGNATURE_NAMESPACE = "realmctl-plan";

/** Signs with a secret that the verifier has too. */
export function hmacOf(text: string, secret: string): PlanSignature {
  const value = createHmac("sha256", secret).update(`${SIGNATURE_NAMESPACE}\n${text}`).digest("hex");
  return { method: "hmac-sha256", value };
}

/** Whether this plan was signed with this secret. */
export function isSignedWith({ signature, signedText }: PlanFile, secret: string): boolean {
  if (signature?.method !== "hmac-sha256") return false;
  const found = Buffer.from(signature.value);
  const wanted = Buffer.from(hmacOf(signedText, secret).value);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}
