// OAuth: the providers where members sign in, and the clients that send them.

import type { OAuthProvider } from '@toolgate/sdk';
import { useState } from 'react';
import { useCreating } from '../../ui/create-button.tsx';
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
  const add = (provider?: Kind) => set({ dialog: 'create', provider });
  const close = () => set({ dialog: undefined, provider: undefined });
  const { button, dialog } = useCreating({
    needs: needed,
    isOpen: isAdding,
    setOpen: (open) => (open ? add() : close()),
  });
  return (
    <>
      <PageHeader
        title="OAuth"
        description="Your users sign in with a provider and become members. Tools can then use the accounts that they connected."
        actions={button('Add provider')}
      />
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search providers and clients" />
      </FilterBar>
      <div className={stackClass}>
        <ProviderTable tiles={<ProviderTiles onChoose={add} />} onSetUp={setAdded} />
        <OAuthClients />
      </div>
      <AddProviderDialog
        {...dialog}
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
