// Where a violated rule is put right: a button to exactly that place.

import { listingFieldOf, type RuleId } from '@toolgate/contract/directories/rules.ts';
import { useProjectId } from '../../api/client.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { Check } from './report.ts';

/** The tab of a tool's page that a rule is about. */
const toolTabs: Partial<Record<RuleId, string>> = {
  result_tokens: 'response',
  schema_violations: 'calls',
  definitions_changed: 'versions',
};

const small = { size: 'sm', look: 'outline' } as const;

/** `onListing` goes to a field of the listing, which is on the same page. */
export function PlaceButton({ check, onListing }: { check: Check; onListing: (field: string) => void }) {
  const params = { projectId: useProjectId() };
  const { id, tool_id, message } = check;
  const field = id === 'server_json' ? 'version' : listingFieldOf(id);
  if (field !== null)
    return (
      <Button {...small} onClick={() => onListing(field)}>
        Fill in
      </Button>
    );
  // A tool that was removed has no page.
  if (tool_id !== null && !/ removed or disabled since /.test(message))
    return (
      <ButtonLink
        {...small}
        to="/projects/$projectId/custom-tools/$toolId"
        params={{ ...params, toolId: tool_id }}
        search={{ tab: toolTabs[id] }}
      >
        Open tool
      </ButtonLink>
    );
  return <ProjectPlace id={id} params={params} />;
}

function ProjectPlace({ id, params }: { id: RuleId; params: { projectId: string } }) {
  switch (id) {
    case 'tools_enabled':
      return (
        <ButtonLink {...small} to="/projects/$projectId/custom-tools" params={params}>
          Open tools
        </ButtonLink>
      );
    case 'oauth':
      return (
        <ButtonLink {...small} to="/projects/$projectId/oauth" params={params} search={{ dialog: 'create' }}>
          Add provider
        </ButtonLink>
      );
    case 'redirect_allowed':
      return (
        <ButtonLink {...small} to="/projects/$projectId/oauth" params={params} search={{ dialog: 'client' }}>
          Create client
        </ButtonLink>
      );
    case 'limits_set':
      return (
        <ButtonLink {...small} to="/projects/$projectId/limits" params={params} search={{ dialog: 'create' }}>
          Create limit
        </ButtonLink>
      );
    case 'public_address':
    case 'domain_verification':
      return (
        <a href="/docs/guides/publish#the-public-url" className="text-accent text-xs underline underline-offset-2">
          How to set it
        </a>
      );
    default:
      return null;
  }
}
