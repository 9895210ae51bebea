// What a client brings back with the answer of its user (`requestState` of MCP 2026-07-28): sealed, so that nobody changes it, and
// bound to one call of one caller. It names the approval that the answer becomes; there is one row with that id, so an answer counts
// once over all processes. Or it wraps the state of an MCP server that asks.

import type { App } from '../../../app.ts';
import { TamperedState } from '../../../errors/input-required.ts';
import { decrypt, encrypt, nonceLength, SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import type { AskedCall } from './store.ts';

const LIFETIME_MS = 10 * 60_000;
const PURPOSE = 'mcp request state v1';

/** `form`: the approval is made with the answer. `url`: it exists, and a person decides about it elsewhere. */
type Confirmation = { mode: 'form' | 'url'; approval_id: string };

/** What the MCP server of the tool asked: the keys of its questions, and its own state. */
type Relay = { mode: 'relay'; keys: string[]; state: string | null };

type Asked = Confirmation | Relay;

/** `asked_at` in epoch milliseconds. */
export type RequestState = Confirmation & { asked_at: number };

type Sealed = Asked & Omit<AskedCall, 'project_id'> & { expires_at: number };

export async function sealState(app: App, call: AskedCall, asked: Asked): Promise<string> {
  const { project_id, subject_id, tool_id, definition_hash, mcp_server_version, arguments_hash } = call;
  const bound = { subject_id, tool_id, definition_hash, mcp_server_version, arguments_hash };
  const sealed: Sealed = { ...asked, ...bound, expires_at: app.now() + LIFETIME_MS };
  const key = await app.secrets.deriveKey(app.database, project_id, PURPOSE);
  const { nonce, ciphertext } = encrypt(key, project_id, Buffer.from(JSON.stringify(sealed)));
  return Buffer.concat([nonce, ciphertext]).toString('base64url');
}

/** Null: it is of another call or caller, of a tool or MCP server that has changed, or has expired. Throws if it was not sealed here. */
export async function openState(app: App, call: AskedCall, text: string): Promise<RequestState | Relay | null> {
  const key = await app.secrets.deriveKey(app.database, call.project_id, PURPOSE);
  const sealed = JSON.parse(decryptText(key, call.project_id, text)) as Sealed;
  const isSame =
    sealed.subject_id === call.subject_id &&
    sealed.tool_id === call.tool_id &&
    sealed.definition_hash === call.definition_hash &&
    sealed.mcp_server_version === call.mcp_server_version &&
    sealed.arguments_hash === call.arguments_hash;
  if (!isSame || sealed.expires_at <= app.now()) return null;
  if (sealed.mode !== 'relay') {
    const { mode, approval_id, expires_at } = sealed;
    return { mode, approval_id, asked_at: expires_at - LIFETIME_MS };
  }
  const { mode, keys, state } = sealed;
  return { mode, keys, state };
}

function decryptText(key: Parameters<typeof decrypt>[0], project_id: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  // Base64 decoding ignores what it does not know.
  if (bytes.toString('base64url') !== text) throw new TamperedState();
  try {
    const parts = { nonce: bytes.subarray(0, nonceLength), ciphertext: bytes.subarray(nonceLength) };
    return decrypt(key, project_id, parts).toString();
  } catch (error) {
    throw error instanceof SecretUnreadable ? new TamperedState() : error;
  }
}
