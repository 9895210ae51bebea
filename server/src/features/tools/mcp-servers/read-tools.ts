// Reads the list of tools of an MCP server: with the credential of the server, never with that of a caller.

import { randomUUID } from 'node:crypto';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { listUpstreamTools } from '../../../mcp-client/list-tools.ts';
import { secretForms, tokenForms } from '../../../outbound/redact-secrets.ts';
import { exchangeSource } from '../calls/credentials/authorize.ts';
import { accessToken } from '../calls/credentials/client-credentials.ts';
import { type Credential, prepareCredential } from '../calls/credentials/credential.ts';
import { memberJwt, signedForServer } from '../calls/credentials/member-jwt.ts';
import { credentialOwner } from '../calls/mcp/credential-owner.ts';
import { BACKGROUND_MS, createTransport, reachedServer } from '../calls/mcp/transport.ts';
import type { Collector } from './collect-listed.ts';
import type { ServerRow } from './mcp-server.ts';
import { startServerTime } from './server-time.ts';

/** Of the server, for all pages together. */
const TIMEOUT_MS = 55_000;
const MAX_PAGE_BYTES = 8 * 2 ** 20;

const limits = { max_bytes: 32 * 2 ** 20, max_pages: 200 };

/** Returns the revision that the server speaks. Rejects with a SendError, an McpProblem, an ApiError, SecretUnreadable or OutdatedSync. */
export async function readTools(
  app: App,
  project: Project,
  row: ServerRow,
  { readPage, readResource, endPage }: Pick<Collector, 'readPage' | 'readResource' | 'endPage'>,
): Promise<string> {
  const prepared = await app.permits.run(project, () => prepareCredential(app, credentialOwner(row)));
  const { credential } = prepared;
  if (credential.kind === 'unreadable') throw credential.cause;
  const time = startServerTime(TIMEOUT_MS);
  // Before the request is queued: one that held a slot while it waited for another could deadlock.
  const bearer = await bearerOf(app, project, row, credential);
  const transportFor = (remaining: () => number) =>
    createTransport(app, reachedServer(row, prepared), {
      project,
      max_response_bytes: MAX_PAGE_BYTES,
      remaining,
      addCredential(headers) {
        if (bearer) headers.authorization = `Bearer ${bearer.next()}`;
      },
    });
  // One request may take as long as a call.
  const transport = transportFor(() => Math.max(1, Math.min(row.timeout_ms, time.remaining())));
  const background = transportFor(() => BACKGROUND_MS);
  const secrets = () =>
    [...('secret_forms' in credential ? credential.secret_forms : []), ...(bearer?.forms() ?? [])].map(String);
  return listUpstreamTools({ transport, background }, row.revision, {
    limits,
    readPage: (page) => time.uncounted(() => readPage({ ...page, secrets: secrets() })),
    readResource: (resource) => time.uncounted(() => readResource(resource)),
    endPage: () => time.uncounted(endPage),
  });
}

/** `forms`: of what was sent, as they are searched for in what the server lists. */
type Bearer = { next(): string; forms(): readonly Buffer[] };

/** Null: the credential is a fixed header. */
async function bearerOf(app: App, project: Project, { id }: ServerRow, credential: Credential): Promise<Bearer | null> {
  const subject = signedForServer(project.id, id);
  if (credential.kind === 'member_jwt') {
    const { key, audience } = credential;
    // Each request has its own, and a list may repeat any of them.
    const sent: string[] = [];
    const next = () => {
      const jwt = memberJwt(app, key, subject, { audience, call_id: randomUUID() });
      sent.push(jwt);
      return jwt;
    };
    return { next, forms: () => sent.flatMap(secretForms) };
  }
  if (credential.kind !== 'token' && credential.kind !== 'token_exchange') return null;
  const source =
    credential.kind === 'token' ? credential.source : exchangeSource(app, credential, subject, randomUUID());
  const token = await accessToken(app, source, { project, recheck: async () => {} });
  return { next: () => token.text, forms: () => tokenForms(token) };
}
