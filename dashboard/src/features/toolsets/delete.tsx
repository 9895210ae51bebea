// Deletes a toolset. What it is assigned to is named first, and can be detached from it.

import { ToolgateError, type Toolset } from '@toolgate/sdk';
import { useId, useState } from 'react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { UseLink } from '../tool-access/links.tsx';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';
import { type Use, type UseKind, useKinds, usesOf, useUses } from '../tool-access/uses.ts';

type Props = {
  toolset: Toolset;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted?: (() => Promise<void>) | undefined;
};

const RESOURCES = [
  'api-keys',
  'integrations',
  'oauth-clients',
  'oauth-providers',
  'limits',
  'hooks',
  'project',
  ...TOOLSET_RESOURCES,
];

export function DeleteToolsetDialog(props: Props) {
  const { toolset, open, onOpenChange, onDeleted } = props;
  const [isDetaching, setDetaching] = useState(false);
  const [refusedFor, setRefusedFor] = useState<Use[]>([]);
  const known = usesOf(toolset, useUses().all ?? []);
  // What the API named, with the names of what the person may read.
  const uses = refusedFor.length > 0 ? refusedFor.map((use) => known.find(({ id }) => id === use.id) ?? use) : known;
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the toolset “${toolset.name}”?`}
      name={toolset.name}
      change={async ({ toolsets }) => {
        try {
          await toolsets.delete(toolset.id, isDetaching ? { detach: true } : {});
        } catch (error) {
          setRefusedFor(usesIn(error));
          throw error;
        }
      }}
      done={`“${toolset.name}” deleted`}
      onDone={onDeleted}
      invalidates={RESOURCES}
    >
      <p>
        Its tools are not deleted. The MCP URL and the OAuth scope with the slug <code>{toolset.slug}</code> stop
        working. This cannot be undone.
      </p>
      {uses.length > 0 && <UsesToDetach uses={uses} isDetaching={isDetaching} onChange={setDetaching} />}
    </ChangeDialog>
  );
}

type UsesProps = { uses: Use[]; isDetaching: boolean; onChange: (isDetaching: boolean) => void };

function UsesToDetach({ uses, isDetaching, onChange }: UsesProps) {
  const id = useId();
  return (
    <div className="mt-3 grid gap-2">
      <p className="font-medium text-ink">It is assigned to:</p>
      <ul aria-label="Assigned to" className="max-h-40 list-disc overflow-y-auto pl-5">
        {uses.map((use) => (
          <li key={use.id} className="break-words">
            {useKinds[use.kind]}: <UseLink use={use} />
          </li>
        ))}
      </ul>
      <label htmlFor={id} className="flex items-start gap-2 text-ink">
        <Checkbox
          id={id}
          className="mt-0.5"
          checked={isDetaching}
          onChange={(event) => onChange(event.target.checked)}
          aria-label="Remove it everywhere"
        />
        <span>
          Remove it everywhere
          <span className="block text-muted text-xs">
            Callers with no other toolset will see no tools. Limits and hooks for this toolset will no longer apply to
            any tools. Nobody gains access to more tools.
          </span>
        </span>
      </label>
    </div>
  );
}

/** What a refusal names, by kind: `{ api_key_ids: ["key_…"] }`. */
function usesIn(error: unknown): Use[] {
  if (!(error instanceof ToolgateError) || error.code !== 'TOOLSET_IN_USE') return [];
  return (Object.keys(useKinds) as UseKind[]).flatMap((kind) => {
    const ids = error.details[`${kind}_ids`];
    if (!Array.isArray(ids)) return [];
    return ids.map((id: string) => ({
      kind,
      id,
      name: kind === 'project' ? 'Rules for members' : id,
      toolset_ids: [],
    }));
  });
}
