// The part of a prepared tool that comes from an MCP server: where it is called, and whether the server still has it as it was approved.

import type { App } from '../../../../app.ts';
import type { CompiledValidator } from '../../../../engines/json-schema/instantiate.ts';
import { refuse } from '../../../../errors/errors.ts';
import { checkSchema } from '../../catalogue/check-schema.ts';
import type { SourceToCall } from '../../catalogue/store.ts';
import type { Arguments } from '../arguments.ts';
import { type Prepared, prepareCredential } from '../credentials/credential.ts';
import { credentialOwner } from './credential-owner.ts';
import { type ReachedServer, reachedServer } from './transport.ts';

export type McpTarget = {
  server: ReachedServer;
  /** For people. */
  server_name: string;
  /** Sessions of another version are not used: its URL or credential was another. */
  server_version: number;
  /** A hint: a call that finds out that the server speaks another one changes it, until the next sync stores that. */
  revision: string;
  upstream_name: string;
  /** The input schema as the server has it. */
  schema: Record<string, unknown>;
  /** The definition differs from the approved one. `validate` is null if its schema cannot be used. */
  changed: { validate: CompiledValidator | null } | null;
  is_removed: boolean;
};

export async function prepareTarget(
  app: App,
  upstream_name: string,
  source: SourceToCall,
  fairness_key: string,
): Promise<{ target: McpTarget } & Prepared> {
  const prepared = await prepareCredential(app, credentialOwner(source));
  const { name: server_name, version: server_version, revision, schema, is_changed, is_removed } = source;
  return {
    ...prepared,
    target: {
      server: reachedServer(source, prepared),
      server_name,
      server_version,
      // It was synced before a tool of it was approved.
      revision: revision ?? '',
      upstream_name,
      schema: schema ?? {},
      changed: is_changed ? { validate: await changedValidator(app, source, fairness_key) } : null,
      is_removed,
    },
  };
}

async function changedValidator(
  app: App,
  { hash, schema }: SourceToCall,
  fairness_key: string,
): Promise<CompiledValidator | null> {
  if (schema === null || checkSchema(schema, 'upstream') !== null) return null;
  try {
    return await app.validators.validatorFor(`${hash} upstream`, schema, fairness_key);
  } catch {
    return null;
  }
}

/** A model that knows only the approved definition must not do something else with it. */
export function refuseChanged({ is_removed, changed }: McpTarget, given: Arguments): void {
  if (is_removed) throw refuse.toolRemovedUpstream();
  if (changed && (changed.validate === null || changed.validate(given) !== null)) throw refuse.toolChangedUpstream();
}
