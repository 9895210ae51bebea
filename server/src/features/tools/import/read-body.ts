// The body of an import: JSON or multipart/form-data → the document, the options, and what identifies both. Runs in the
// worker thread: parsing 20 MiB takes longer than any request may keep the others waiting.

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type ToolImportOptions, toolImportRequest } from '@toolgate/contract/custom-tools/tool-import.ts';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { invalidBody, invalidJson } from '../../../api/invalid-body.ts';
import { showName } from '../../../api/show-name.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { JsonProblem, parseStrict } from '../../../engines/json-text/parse-strict.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';

/** Schemas inside schemas make documents deeper than other bodies. Their size is bounded by the memory of the thread. */
const MAX_DEPTH = 100;
const documentLimits = {
  max_depth: MAX_DEPTH,
  max_members: Number.POSITIVE_INFINITY,
  max_values: Number.POSITIVE_INFINITY,
};
const MAX_ALIASES = 10_000;
/** With `<<`, which is not in YAML 1.2 but in many documents. */
const yamlSchema = CORE_SCHEMA.withTags(mergeTag);
const MAX_MERGED_KEYS = 100_000;

export type ReadBody = {
  document: SchemaObject;
  options: ToolImportOptions;
  /** The same for the same document and options, however they were sent. */
  fingerprint: string;
};

/** A body that names where its document is. It is read again with what was fetched from there. */
export type ToFetch = { document_url: string };

export async function readBody(
  bytes: Uint8Array,
  content_type: string,
  fetched?: Uint8Array,
): Promise<ReadBody | ToFetch> {
  const isForm = /^multipart\/form-data\b/i.test(content_type);
  const given = isForm ? await readForm(bytes, content_type) : readJson(bytes);
  const parsed = toolImportRequest.safeParse(given);
  if (!parsed.success) throw invalidBody(parsed.error, given);
  const { document, document_url, ...options } = parsed.data;
  const identify = (text: string) => createHash('sha256').update(text).update(JSON.stringify(options)).digest('hex');
  if (document_url !== undefined) {
    if (!fetched) return { document_url };
    return { document: parseText(textOf(fetched)), options, fingerprint: identify(`${document_url} `) };
  }
  if (typeof document === 'string') return { document: parseText(document), options, fingerprint: identify(document) };
  return { document: document as SchemaObject, options, fingerprint: identify(JSON.stringify(document)) };
}

function textOf(fetched: Uint8Array): string {
  if (!isUtf8(fetched)) throw invalidField('document_url', 'has a document that is not valid UTF-8');
  return Buffer.from(fetched.buffer, fetched.byteOffset, fetched.byteLength).toString('utf8');
}

function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return parseStrict(Buffer.from(bytes), documentLimits);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw invalidJson(error);
  }
}

const jsonFields = ['include', 'exclude', 'tool_names', 'auth_config', 'auth_secrets', 'drop'];
const booleanFields = ['is_enabled', 'require_member', 'dry_run', 'output_schemas'];

async function readForm(bytes: Uint8Array, content_type: string): Promise<SchemaObject> {
  const form = await parseForm(bytes, content_type);
  const fields: SchemaObject = {};
  for (const [name, value] of form) {
    if (Object.hasOwn(fields, name)) throw invalidField(showName(name), 'is given twice');
    const text = typeof value === 'string' ? value : await value.text();
    if (jsonFields.includes(name)) fields[name] = parseField(name, text);
    else fields[name] = booleanFields.includes(name) && /^(true|false)$/.test(text) ? text === 'true' : text;
  }
  return fields;
}

async function parseForm(bytes: Uint8Array, content_type: string): Promise<FormData> {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': content_type },
    }).formData();
  } catch (error) {
    throw refuse.malformedRequest({ cause: error, details: { reason: 'invalid_multipart' } });
  }
}

function parseField(name: string, text: string): unknown {
  try {
    return parseStrict(text, { max_depth: 8 });
  } catch (error) {
    throw invalidField(name, `must be JSON: ${(error as Error).message}`);
  }
}

/** YAML contains JSON, but its parser is slow: what begins like a JSON object is read as one. */
function parseText(text: string): SchemaObject {
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const document = isJson ? parseJsonText(text.replace(/^\uFEFF/, '')) : parseYaml(text);
  if (!isObject(document)) throw invalidField('document', 'must be an object');
  return document;
}

function parseJsonText(text: string): unknown {
  try {
    return parseStrict(text, documentLimits);
  } catch (error) {
    if (error instanceof JsonProblem) throw invalidField('document', error.message);
    throw error;
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, {
      schema: yamlSchema,
      maxDepth: MAX_DEPTH,
      maxAliases: MAX_ALIASES,
      maxTotalMergeKeys: MAX_MERGED_KEYS,
    });
  } catch (error) {
    // The first line says what and where; the lines after it quote the document.
    const [first = ''] = (error as Error).message.split('\n');
    throw invalidField('document', `is not valid YAML or JSON: ${first.slice(0, 200)}`);
  }
}
