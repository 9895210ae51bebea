// The "Actions" of a toolset, in the list and on its page.

import type { Toolset } from '@toolgate/sdk';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { DeleteToolsetDialog } from './delete.tsx';

export function ToolsetActions({ toolset, onDeleted }: { toolset: Toolset; onDeleted?: () => Promise<void> }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Trash2 />} danger needs="write" onClick={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </ActionsMenu>
      {isDeleting && <DeleteToolsetDialog toolset={toolset} open onOpenChange={setDeleting} onDeleted={onDeleted} />}
    </>
  );
}
