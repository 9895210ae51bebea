// A definition that an MCP server lists, ready to be stored: with its hash and its warnings, and without the credential of the server.

import { type ToolView, VIEW_PIN } from '@toolgate/contract/mcp-servers/tool-view.ts';
import { isStorableJson, isStorableText } from '../../../../database/storable-text.ts';
import { canonicalHash } from '../../../../engines/json-text/canonical-json.ts';
import { isObject, type MessageLimits, parseJson } from '../../../../mcp-client/message.ts';
import type { NewListed } from '../listed-store.ts';
import { toolNameFor } from '../names.ts';
import type { UpstreamDefinition } from '../upstream-definition.ts';
import { viewUriOf } from './read-view.ts';
import { redactDefinition } from './redact-definition.ts';
import { findWarnings } from './warnings.ts';

/** What a listing is read with. */
export type Facts = {
  slug: string;
  /** Of all tools of the project. */
  names: ReadonlySet<string>;
  /** Hashes of definitions that need not be stored again. */
  known: ReadonlySet<string>;
  /** The credential of the server, in the forms of redact-secrets.ts. */
  secrets: readonly string[];
  /** By their URIs. */
  views: ReadonlyMap<string, ToolView>;
};

const MAX_NAME_LENGTH = 128;
/** A larger one cannot be approved; only its name is kept. */
const MAX_DEFINITION_BYTES = 160 * 1024;
/** The page was within these. */
const LIMITS: MessageLimits = { max_depth: 100, max_members: 200_000, max_values: 500_000 };

/** Null: it has no usable name. */
export function readDefinition(text: string, facts: Facts): NewListed | null {
  const given = parseJson(text, LIMITS) as UpstreamDefinition;
  const { name } = given;
  if (!isUsable(name, facts)) return null;
  const pinned = withView(given, facts);
  const pinned_text = pinned === given ? text : JSON.stringify(pinned);
  const definition = redactDefinition(pinned, pinned_text, facts.secrets) as UpstreamDefinition;
  const hash = canonicalHash(definition);
  if (facts.known.has(hash)) return { upstream_name: name, hash, definition: null, warnings: null };
  const stored = definition === pinned ? pinned_text : JSON.stringify(definition);
  if (Buffer.byteLength(stored) > MAX_DEFINITION_BYTES || !isStorableJson(definition)) return nameOnly(name, hash);
  const warnings = findWarnings(definition, facts.names, toolNameFor(facts.slug, name));
  return { upstream_name: name, hash, definition: stored, warnings: JSON.stringify(warnings) };
}

/** The pin is part of the definition: a view is reviewed, approved and rejected with it. A server cannot say it itself. */
function withView(given: UpstreamDefinition, { views, secrets }: Facts): UpstreamDefinition {
  const view = views.get(viewUriOf(given, secrets) ?? '');
  const meta = isObject(given._meta) ? given._meta : {};
  if (!view && !Object.hasOwn(meta, VIEW_PIN)) return given;
  const { [VIEW_PIN]: _, ...others } = meta;
  return { ...given, _meta: view ? { ...others, [VIEW_PIN]: view } : others };
}

/** One with the credential in its name would be stored and shown with it. */
function isUsable(name: unknown, { secrets }: Facts): name is string {
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME_LENGTH) return false;
  return isStorableText(name) && !secrets.some((secret) => name.includes(secret));
}

function nameOnly(upstream_name: string, hash: string): NewListed {
  const warnings = JSON.stringify([{ code: 'definition_not_supported', path: '' }]);
  return { upstream_name, hash, definition: JSON.stringify({ name: upstream_name }), warnings };
}
