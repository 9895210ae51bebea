// People → Single sign-on: the settings of the organization's identity provider, for owners.

import { useQuery } from '@tanstack/react-query';
import { type OrganizationSso, ToolgateError } from '@toolgate/sdk';
import { toolgate } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { Section } from '../../ui/section.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorAlert } from '../../ui/states.tsx';
import { SsoForm } from './form.tsx';

const queryKey = ['organization', 'sso'];

/** Null: it is not set up. */
async function readSso(): Promise<OrganizationSso | null> {
  try {
    return await toolgate.organization.sso.get();
  } catch (error) {
    if (error instanceof ToolgateError && error.status === 404) return null;
    throw error;
  }
}

export function SingleSignOnTab() {
  const account = useAccount();
  const isOwner = account?.role === 'owner';
  const query = useQuery({ queryKey, queryFn: readSso, enabled: isOwner });
  return (
    <Section title="Single sign-on">
      {!isOwner ? (
        <EmptyState title="For owners" compact>
          Only owners of the organization can see and change how people sign in.
        </EmptyState>
      ) : query.data !== undefined && account ? (
        <SsoForm key={query.data?.issuer ?? 'new'} saved={query.data} account={account} />
      ) : query.error ? (
        <ErrorAlert error={query.error} />
      ) : (
        <Loading label="single sign-on">
          <Skeleton className="h-96" />
        </Loading>
      )}
    </Section>
  );
}
