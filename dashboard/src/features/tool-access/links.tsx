// Links to toolsets and to what they are assigned to.

import { Link } from '@tanstack/react-router';
import type { Toolset } from '@toolgate/sdk';
import { Eye } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { ButtonLink, inlineLinkClass } from '../../ui/button.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import type { Search } from '../../ui/search.ts';
import type { Use } from './uses.ts';

export function ToolsetLink({ toolset: { id, name } }: { toolset: Pick<Toolset, 'id' | 'name'> }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/projects/$projectId/toolsets/$toolsetId"
      params={{ projectId, toolsetId: id }}
      className={inlineLinkClass}
    >
      <Name text={name} />
    </Link>
  );
}

/** What it sees, as a list. `caller`: one parameter of `effective-tools`. */
export function PreviewLink({ caller }: { caller: Search }) {
  return (
    <ButtonLink
      to="/projects/$projectId/toolsets"
      params={{ projectId: useProjectId() }}
      search={{ tab: 'preview', ...caller }}
    >
      <Eye /> Preview its tools
    </ButtonLink>
  );
}

/** The same in a menu of actions. */
export function PreviewItem({ caller }: { caller: Search }) {
  const projectId = useProjectId();
  return (
    <MenuItem
      icon={<Eye />}
      render={<Link to="/projects/$projectId/toolsets" params={{ projectId }} search={{ tab: 'preview', ...caller }} />}
    >
      Preview its tools
    </MenuItem>
  );
}

/** Where its `toolset_ids` are changed. */
export function UseLink({ use: { kind, id, name } }: { use: Use }) {
  const projectId = useProjectId();
  const text = <Name text={name} />;
  if (kind === 'limit')
    return (
      <Link to="/projects/$projectId/limits" params={{ projectId }} search={{ limit: id }} className={inlineLinkClass}>
        {text}
      </Link>
    );
  if (kind === 'hook')
    return (
      <Link to="/projects/$projectId/hooks" params={{ projectId }} className={inlineLinkClass}>
        {text}
      </Link>
    );
  if (kind === 'api_key')
    return (
      <Link
        to="/projects/$projectId/api-keys/$apiKeyId"
        params={{ projectId, apiKeyId: id }}
        className={inlineLinkClass}
      >
        {text}
      </Link>
    );
  if (kind === 'integration')
    return (
      <Link
        to="/projects/$projectId/integrations/$integrationId"
        params={{ projectId, integrationId: id }}
        className={inlineLinkClass}
      >
        {text}
      </Link>
    );
  if (kind === 'project')
    return (
      <Link to="/projects/$projectId/settings" params={{ projectId }} hash="member-access" className={inlineLinkClass}>
        {text}
      </Link>
    );
  return (
    <Link to="/projects/$projectId/oauth" params={{ projectId }} search={{ search: id }} className={inlineLinkClass}>
      {text}
    </Link>
  );
}
