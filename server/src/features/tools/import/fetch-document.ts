// Fetches the document of an import from its document_url, through the address guard. Every failure is a refusal of that field.

import { MAX_IMPORT_BYTES } from '@toolgate/contract/custom-tools/tool-import.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import { version } from '../../../installation.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import { type OutboundResponse, SendError } from '../../../outbound/messages.ts';

const TIMEOUT_MS = 30_000;
const ACCEPT = 'application/json, application/yaml, application/vnd.oai.openapi, text/yaml, */*;q=0.5';

export async function fetchDocument(app: App, caller: Caller, document_url: string): Promise<Uint8Array> {
  const { origin, path } = readUrl(app, document_url);
  let response: OutboundResponse;
  try {
    response = await app.send({
      isolation_key: projectOf(caller).fairness_key,
      // Slots of its own: a slow document delays no tool call.
      isolation_part: 'import',
      origin,
      method: 'GET',
      path,
      headers: { accept: ACCEPT, 'user-agent': `toolgate/${version}` },
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_IMPORT_BYTES,
    });
  } catch (error) {
    throw error instanceof SendError ? refusalOf(error) : error;
  }
  const { status, body, truncated } = response;
  if (status >= 300 && status < 400)
    throw wrong(`redirects (status ${status}), which is not followed: use the URL it redirects to`);
  if (status !== 200) throw wrong(`returned status ${status} instead of 200`);
  if (truncated) throw wrong('has a document larger than 20 MiB');
  return body;
}

function readUrl(app: App, text: string): { origin: string; path: string } {
  const url = URL.parse(text);
  const isPlain = url?.username === '' && url.password === '' && !text.includes('#');
  if (url === null || !isPlain) throw wrong('must be an HTTPS URL without user and fragment');
  const checked = checkOrigin(url.origin, app.egress.allowed());
  if ('problem' in checked && checked.problem === 'not_https') throw wrong('must be an HTTPS URL');
  if ('problem' in checked)
    throw invalidField('document_url', 'must be a public URL', { reason: 'address_not_public' });
  return { origin: checked.origin, path: url.pathname + url.search };
}

/** Blocked, refused and unreachable look the same, so that a caller cannot scan a network. */
function refusalOf(error: SendError): ApiError {
  switch (error.kind) {
    case 'timeout':
      return wrong('did not respond in time');
    case 'blocked':
    case 'connection':
    case 'circuit_open':
      return wrong('cannot be reached, or its certificate is not accepted');
    case 'invalid':
      return wrong('cannot be requested');
    case 'overloaded':
    case 'aborted':
      return refuse.serviceUnavailable({ headers: { 'retry-after': '5' }, cause: error });
  }
}

const wrong = (message: string) => invalidField('document_url', message);
