// OAuth: the providers where members sign in, and the clients that send them.

import type { OAuthProvider } from '@toolgate/sdk';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { useCreateShortcut } from '../../ui/create-shortcut.ts';
import { FilterBar, SearchFilter } from '../../ui/lists/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters, useUrlDialog } from '../../ui/search.ts';
import { stackClass } from '../../ui/section.tsx';
import { OAuthClients } from '../oauth-clients/list.tsx';
import { AddProviderDialog } from '../oauth-providers/form.tsx';
import { isKind, type Kind } from '../oauth-providers/kinds.ts';
import { ProviderTable, ProviderTiles } from '../oauth-providers/list.tsx';
import { ProviderSetupDialog } from '../oauth-providers/setup.tsx';
import { useDecidingPermission } from '../projects/production.ts';

export function OAuthPage() {
  const [isAdding] = useUrlDialog('create');
  const [added, setAdded] = useState<OAuthProvider | null>(null);
  const { values, set } = useFilters();
  const needed = useDecidingPermission('webhook');
  const isAllowed = useAccess().can(needed);
  const add = (provider?: Kind) => set({ dialog: 'create', provider });
  const close = () => set({ dialog: undefined, provider: undefined });
  useCreateShortcut(() => isAllowed && add());
  return (
    <>
      <PageHeader
        title="OAuth"
        description="People sign in at a provider and become members. Tools can then use the account that they connected."
        actions={
          <Button look="solid" needs={needed} onClick={() => add()}>
            <Plus /> Add provider
          </Button>
        }
      />
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search providers and clients" />
      </FilterBar>
      <div className={stackClass}>
        <ProviderTable tiles={<ProviderTiles onChoose={add} />} onSetUp={setAdded} />
        <OAuthClients />
      </div>
      <AddProviderDialog
        open={isAdding && isAllowed}
        onOpenChange={close}
        kind={isKind(values.provider) ? values.provider : 'google'}
        onAdded={(provider) => {
          close();
          setAdded(provider);
        }}
      />
      <ProviderSetupDialog provider={added} onClose={() => setAdded(null)} />
    </>
  );
}
