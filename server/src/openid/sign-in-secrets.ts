// The nonce and the PKCE verifier of a sign-in at a provider. They follow from the secret of the browser's cookie and the state, so
// neither is stored, and neither the database nor a leaked URL is enough to know them.

import { hash } from 'node:crypto';

export function signInSecrets(browser: string, state: string): { state: string; nonce: string; code_verifier: string } {
  const derive = (use: string) => hash('sha256', `${use} ${browser} ${state}`, 'base64url');
  return { state, nonce: derive('nonce'), code_verifier: derive('code_verifier') };
}
