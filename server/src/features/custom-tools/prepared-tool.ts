// A tool that is ready to be called: schemas and path template compiled, secret opened, so that a call does none of it.

import type { App } from '../../app.ts';
import { estimateSize } from '../../cache/estimate-size.ts';
import { headerLines } from '../../outbound/header-lines.ts';
import type { HeaderLines } from '../../outbound/messages.ts';
import { version as server_version } from '../../version.ts';
import { type Credential, prepareCredential } from './credential.ts';
import { splitHeaders } from './header-template.ts';
import { compileTemplate } from './path-template.ts';
import type { RequestShape } from './request.ts';
import type { CompiledValidator } from './schema/instantiate.ts';
import { validatorFor } from './schema/validator.ts';
import type { ToolRow } from './tool.ts';
import type { Schema, ToolResult } from './tool-call.ts';

export type PreparedTool = {
  id: string;
  name: string;
  version: number;
  is_enabled: boolean;
  require_member: boolean;
  input_schema: Schema;
  /** `bytes` is the size of its validator. */
  output: ToolResult['tool'] & { bytes: number };
  validate: CompiledValidator;
  shape: RequestShape;
  fixed_headers: HeaderLines;
  origin: string;
  /** As in the Host header. */
  host: string;
  timeout_ms: number;
  credential: Credential;
  /** An estimate of the memory of all of this. */
  bytes: number;
};

export async function prepareTool(app: App, row: ToolRow, quota_group_id: string): Promise<PreparedTool> {
  const { id, name, version, is_enabled, require_member, input_schema, definition_hash } = row;
  const credential = await prepareCredential(app, row);
  const validate = await validatorFor(`${definition_hash} input`, input_schema, quota_group_id);
  const output = await prepareOutput(row, quota_group_id);
  const headers = splitHeaders(row.headers, input_schema);
  const tool = {
    id,
    name,
    version,
    is_enabled,
    require_member,
    input_schema,
    output,
    validate,
    shape: {
      method: row.method,
      context_in: row.context_in,
      template: compileTemplate(row.endpoint_path),
      header_templates: headers.templates,
    },
    fixed_headers: prepareHeaders(row.method, headers.fixed, credential),
    origin: row.base_url,
    host: new URL(row.base_url).host,
    timeout_ms: row.timeout_ms,
    credential,
  };
  return { ...tool, bytes: estimateSize(tool) + validate.bytes + output.bytes };
}

async function prepareOutput(
  { definition_hash, output_schema }: ToolRow,
  quota_group_id: string,
): Promise<PreparedTool['output']> {
  if (output_schema === null) return { output_schema, checkOutput: null, bytes: 0 };
  const validate = await validatorFor(`${definition_hash} output`, output_schema, quota_group_id);
  const checkOutput = (value: unknown): string | null => {
    const [problem] = validate(value) ?? [];
    return problem === undefined ? null : [problem.field, problem.message].filter(Boolean).join(' ');
  };
  return { output_schema, checkOutput, bytes: validate.bytes };
}

function prepareHeaders(method: string, given: Record<string, string>, credential: Credential): HeaderLines {
  const fixed: Record<string, string> = {
    accept: 'application/json, */*;q=0.8',
    'user-agent': `toolgate/${server_version}`,
  };
  if (method !== 'GET' && method !== 'DELETE') fixed['content-type'] = 'application/json';
  Object.assign(fixed, given);
  return headerLines(credential.kind === 'header' ? { ...fixed, ...credential.header } : fixed);
}
