// /custom-tools, and the key that secrets are sealed to.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type CustomTool = Schema<'CustomTool'>;
export type CustomToolVersion = Schema<'CustomToolVersion'>;
export type EncryptionKey = Schema<'EncryptionKey'>;
export type SignatureCheck = Schema<'SignatureCheck'>;
export type ToolExecutionResult = Schema<'ToolExecutionResult'>;
export type ToolImport = Schema<'ToolImport'>;
export type ToolRequestPreview = Schema<'ToolRequestPreview'>;

type Types = {
  item: CustomTool;
  created: CustomTool;
  fields: Schema<'CustomToolRequest'>;
  change: Schema<'CustomToolChange'>;
  filters: Query<'listCustomTools'>;
};

export type CustomTools = Crud<Types> & {
  enable(id: string, options?: CallOptions): Promise<CustomTool>;
  disable(id: string, options?: CallOptions): Promise<CustomTool>;
  /** Calls a tool. If the connection breaks it is tried again, and the tool is still called once. */
  execute(idOrName: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolExecutionResult>;
  /** For a person who tries a tool: `member_external_id` names the test member. The call is marked as a test. */
  test(idOrName: string, call?: Schema<'ToolExecution'>, options?: CallOptions): Promise<ToolExecutionResult>;
  /** The request that a call would send, with what is signed, without sending it. */
  preview(idOrName: string, call?: Schema<'ToolExecution'>, options?: CallOptions): Promise<ToolRequestPreview>;
  /**
   * Creates or updates tools from an OpenAPI document: an object, its text in JSON or YAML, or a `document_url`. New ones are
   * disabled. With `dry_run` and `on_conflict: 'update'` it answers the difference and changes nothing.
   */
  import(request: Schema<'ToolImportRequest'>, options?: CallOptions): Promise<ToolImport>;
  /** Enables, disables or deletes many tools in one request. */
  bulk(action: Schema<'BulkToolAction'>, options?: CallOptions): Promise<Schema<'BulkToolResult'>>;
  /** Says why your API does not accept the signature of a request: give what it received. */
  verifySignature(id: string, received: Schema<'ReceivedRequest'>, options?: CallOptions): Promise<SignatureCheck>;
  /** Creates the tools of the sample shop, which the service itself answers. For development projects. */
  loadSample(options?: CallOptions): Promise<Schema<'SampleTools'>>;
  /** The key for `sealSecret`. */
  encryptionKey(options?: CallOptions): Promise<EncryptionKey>;
  /** Every change of a tool's definition is kept as a version. */
  versions: {
    list(id: string, filters?: Query<'listCustomToolVersions'>, options?: CallOptions): List<CustomToolVersion>;
    get(id: string, version: number, options?: CallOptions): Promise<CustomToolVersion>;
  };
};

export function customTools(api: Api): CustomTools {
  return {
    ...crud<Types>(api, () => '/custom-tools'),
    async enable(id, options) {
      return api.send({ method: 'POST', path: path`/custom-tools/${id}/enable`, options });
    },
    async disable(id, options) {
      return api.send({ method: 'POST', path: path`/custom-tools/${id}/disable`, options });
    },
    async execute(idOrName, args = {}, options) {
      const call = {
        method: 'POST',
        path: path`/custom-tools/${idOrName}/execute`,
        body: { arguments: args },
      } as const;
      return api.send({ ...call, options, hasIdempotencyKey: true, repetition: 'tool_call' });
    },
    async test(idOrName, body = {}, options) {
      const call = { method: 'POST', path: path`/custom-tools/${idOrName}/execute`, body } as const;
      return api.send({ ...call, options, hasIdempotencyKey: true, repetition: 'tool_call' });
    },
    async preview(idOrName, body = {}, options) {
      return api.send({ method: 'POST', path: path`/custom-tools/${idOrName}/preview`, body, options });
    },
    async import(body, options) {
      return api.send({ method: 'POST', path: '/custom-tools/import', body, options, hasIdempotencyKey: true });
    },
    async bulk(body, options) {
      return api.send({ method: 'POST', path: '/custom-tools/bulk', body, options, hasIdempotencyKey: true });
    },
    async verifySignature(id, body, options) {
      return api.send({ method: 'POST', path: path`/custom-tools/${id}/verify-signature`, body, options });
    },
    async loadSample(options) {
      const target = path`/projects/${api.projectId()}/sample-tools`;
      return api.send({ method: 'POST', path: target, options, hasIdempotencyKey: true });
    },
    async encryptionKey(options) {
      return api.send({ method: 'GET', path: '/encryption-key', options });
    },
    versions: {
      list: (id, filters, options) =>
        list(api, { path: () => path`/custom-tools/${id}/versions`, query: filters, options }),
      async get(id, version, options) {
        return api.send({ method: 'GET', path: path`/custom-tools/${id}/versions/${version}`, options });
      },
    },
  };
}
