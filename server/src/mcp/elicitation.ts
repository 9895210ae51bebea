// What a client can ask its user, from the capabilities that it declares, and what the user answered: read from a call of 2026-07-28,
// which has both. Renders a call that needs something of the user first.

import type { Asked, ElicitRequest, InputRequired } from '../errors/input-required.ts';
import type { Elicitation } from '../features/tools/approvals/elicitation.ts';
import { isObject, type Params, RpcError } from './json-rpc.ts';
import { metaKeys } from './protocol.ts';

/** The one question of a call, and the one field of its form. */
const KEY = 'confirm';

export type Capabilities = Pick<Elicitation, 'form' | 'url'>;

export const NO_CAPABILITIES: Capabilities = { form: false, url: false };

/** An empty object means forms, as before there were others. */
export function capabilitiesOf(declared: unknown): Capabilities {
  const elicitation = isObject(declared) ? declared.elicitation : undefined;
  if (!isObject(elicitation)) return NO_CAPABILITIES;
  const url = isObject(elicitation.url);
  return { form: isObject(elicitation.form) || !url, url };
}

export function readElicitation({ _meta: meta, requestState: state, inputResponses: given }: Params): Elicitation {
  const capabilities = capabilitiesOf(isObject(meta) ? meta[metaKeys.client_capabilities] : undefined);
  if (state !== undefined && typeof state !== 'string') throw invalid('params.requestState must be a string');
  const response = isObject(given) ? given[KEY] : undefined;
  const answer = typeof state === 'string' ? { state, ...readResponse(response) } : null;
  const connect = isObject(given) ? readResponse(given.connect).action : null;
  const upload = isObject(given) ? readResponse(given.upload).action : null;
  return {
    is_modern: true,
    ...capabilities,
    connect,
    upload,
    response: answer,
    responses: isObject(given) ? given : {},
  };
}

const actions = ['accept', 'decline', 'cancel'] as const;

/** Anything that does not answer the question asks again. */
function readResponse(response: unknown): Pick<NonNullable<Elicitation['response']>, 'action' | 'is_confirmed'> {
  const { action, content } = isObject(response) ? response : {};
  const said = isObject(content) ? content[KEY] : undefined;
  return {
    action: actions.find((each) => each === action) ?? null,
    is_confirmed: typeof said === 'boolean' ? said : null,
  };
}

export const tamperedState = () => invalid('params.requestState was not issued by this server');

const invalid = (message: string) => new RpcError('invalid_params', message, { status: 200 });

const requestedSchema = {
  type: 'object',
  properties: { [KEY]: { type: 'boolean', title: 'Make this call', default: false } },
  required: [KEY],
};

type Question = Exclude<Asked, { kind: 'capability' }>;

/** The JSON text of the result in 2026-07-28. Throws where the protocol has an error for it. */
export function inputRequiredText({ asked, message }: InputRequired, is_modern: boolean, server_info: string): string {
  if (asked.kind === 'capability') {
    const names = Object.entries(asked.required).map(([name, modes]) => `${name} (${Object.keys(modes as object)})`);
    throw new RpcError('missing_client_capability', `This tool requires a client with ${names.join(', ')}`, {
      data: { requiredCapabilities: asked.required },
    });
  }
  if (!is_modern) throw urlElicitationRequired(asked, message);
  const requests = JSON.stringify(requestsOf(asked));
  const state = asked.state === null ? '' : `,"requestState":${JSON.stringify(asked.state)}`;
  return `{"resultType":"input_required","inputRequests":${requests}${state},"_meta":{${server_info}}}`;
}

function requestsOf(asked: Question): Record<string, ElicitRequest> {
  switch (asked.kind) {
    case 'relay':
      return asked.requests;
    case 'form': {
      const params = { mode: 'form' as const, message: asked.message, requestedSchema };
      return { [KEY]: { method: 'elicitation/create', params } };
    }
    case 'url': {
      const params = { mode: 'url' as const, message: asked.message, url: asked.url };
      return { [asked.key]: { method: 'elicitation/create', params } };
    }
  }
}

/** 2025-11-25: an error that names the URLs. */
function urlElicitationRequired(asked: Question, message: string): RpcError {
  if (asked.kind === 'form') throw new Error('this revision does not support forms');
  const named =
    asked.kind === 'url' ? [[asked.id, requestsOf(asked)[asked.key]] as const] : Object.entries(asked.requests);
  const elicitations = named.map(([elicitationId, request]) => ({ ...request?.params, elicitationId }));
  return new RpcError('url_elicitation_required', message, { status: 200, data: { elicitations } });
}
