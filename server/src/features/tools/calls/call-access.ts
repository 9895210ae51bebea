// Checks whether a caller may call a tool: when a call arrives, and again when it had to wait for its slot, because meanwhile the
// credential may have been revoked, the tool disabled or changed, or the project deleted.

import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import { type GrantLayer, isGranted, missingScopes } from '../../../access/grant-layer.ts';
import { refusingLayer } from '../../../access/layers.ts';
import { scopeChallenge } from '../../../api/challenge.ts';
import { errorToRefusal } from '../../../api/error-to-refusal.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { type Ready, whenReady } from '../../../when-ready.ts';
import { refuseUnapproved } from '../catalogue/member-approval.ts';
import { refuseOtherOrigin } from '../catalogue/member-token-destination.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { cachedTool, loadTool } from './tool-cache.ts';

/** Caller or tool have changed since they were checked, and nothing was sent: the call starts again with the current ones. */
export class CallOutdated extends Error {}

export function refuseUnlessAllowed(tool: PreparedTool, caller: ToolCaller): void {
  if (!tool.is_enabled) throw refuse.toolNotEnabled();
  if (tool.require_member && !memberOf(caller)) throw refuse.memberContextRequired();
  const { credential, origin, is_approved } = tool;
  refuseUnapproved(caller.project, { is_approved, of_server: tool.mcp !== null });
  if (credential.kind === 'member_token') refuseOtherOrigin(caller.project, credential.destinations, origin);
}

type Current = { caller: ToolCaller; tool: PreparedTool };

/**
 * Costs no I/O and no promise while nothing of the project has changed: caller and tool come from the cache. Throws CallOutdated also
 * if the call would be refused now: it starts again, and is refused then.
 */
export function recheck(app: App, caller: ToolCaller, tool: PreparedTool, name: string): Ready<Current> {
  try {
    const authenticated: Ready<ToolCaller> = caller.reauthenticate();
    const current = whenReady(authenticated, (caller) =>
      whenReady(currentTool(app, caller, name), (found) => requireSame(tool, { caller, tool: found })),
    );
    if (!(current instanceof Promise)) return current;
    return current.catch((error: unknown) => Promise.reject(refusalToOutdated(error)));
  } catch (error) {
    throw refusalToOutdated(error);
  }
}

function refusalToOutdated(error: unknown): Error {
  if (error instanceof CallOutdated) return error;
  const refusal = errorToRefusal(error);
  return refusal.status < 500 ? new CallOutdated() : refusal;
}

function requireSame(tool: PreparedTool, current: Current): Current {
  const { id, version, mcp, certificate } = current.tool;
  // A new secret is a new version, too.
  const isSame =
    id === tool.id &&
    version === tool.version &&
    mcp?.server_version === tool.mcp?.server_version &&
    certificate?.fingerprint === tool.certificate?.fingerprint;
  if (!isSame) throw new CallOutdated();
  refuseUnlessAllowed(current.tool, current.caller);
  return current;
}

export function currentTool(app: App, caller: ToolCaller, name: string): Ready<PreparedTool> {
  const { project } = caller;
  const cached = cachedTool(app, project.id, name);
  if (cached) return refuseUnseen(app, cached, caller);
  return app.permits.run(project, async () => refuseUnseen(app, await loadTool(app, project, name), caller));
}

/** A tool outside of what the caller sees is as unknown as one that does not exist; only the trace tells. */
function refuseUnseen(app: App, tool: PreparedTool, caller: ToolCaller): PreparedTool {
  if (refusingLayer(caller.layers, tool.toolsets) !== null) throw unseen();
  // A person is not asked to approve a tool that could not be called then.
  if (caller.kind === 'member' && caller.grant && tool.is_enabled) refuseUngranted(app, tool, caller, caller.grant);
  return tool;
}

const unseen = () => refuse.notFound({ hidden_reason: 'tool_not_in_toolset' });

/** A tool that the person could grant is not a secret: the client is told what to ask for (RFC 6750 3.1). */
function refuseUngranted({ config }: App, tool: PreparedTool, { project }: ToolCaller, grant: GrantLayer): void {
  if (isGranted(grant, tool.toolsets)) return;
  const scopes = missingScopes(grant, tool.name, tool.toolsets);
  if (!scopes) throw unseen();
  const required_scope = scopes.join(' ');
  throw refuse.toolNotGranted({
    details: { required_scope },
    headers: { 'www-authenticate': scopeChallenge(config.public_url, `/api/v1/mcp/${project.id}`, required_scope) },
  });
}
