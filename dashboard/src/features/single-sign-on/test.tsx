// The test of single sign-on: the first steps at once, the others after the person has signed in at the provider in a new tab.

import { useMutation, useQuery } from '@tanstack/react-query';
import type { SsoTestStepName } from '@toolgate/contract/organizations/sso-rules.ts';
import type { SsoTest as Test } from '@toolgate/sdk';
import { ExternalLink } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { slowToolgate, toolgate } from '../../api/client.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { TestSteps } from '../../ui/test-steps.tsx';
import { type SsoValues, toInput } from './values.ts';

/** While the person signs in at the provider. */
const POLL_MS = 1_000;

export function SsoTest() {
  const { trigger, getValues } = useFormContext<SsoValues>();
  const begin = useMutation({ mutationFn: (values: SsoValues) => slowToolgate.organization.sso.test(toInput(values)) });
  const result = useTestResult(begin.data);
  const isWaiting = result?.status === 'waiting';
  const run = async () => {
    if (await trigger()) begin.mutate(getValues());
  };
  return (
    <section aria-label="Test" className="grid min-w-0 grid-cols-1 gap-3 rounded-md border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 text-muted text-xs">
          Runs a complete test sign-in with these settings, and shows each step. Nothing is saved.
        </p>
        <Button busy={begin.isPending} onClick={() => void run()}>
          Test
        </Button>
      </div>
      {begin.error && <ErrorAlert error={begin.error} />}
      <div aria-live="polite" className="grid grid-cols-1 gap-3">
        {isWaiting && begin.data?.authorize_url && (
          <a
            href={begin.data.authorize_url}
            target="_blank"
            rel="noreferrer"
            className={`${linkClass} inline-flex items-center gap-1 justify-self-start [&_svg]:size-3.5`}
          >
            Sign in at the identity provider <ExternalLink aria-hidden />
          </a>
        )}
        {result && !begin.isPending && (
          <TestSteps steps={result.steps.map(({ step, ...rest }) => ({ ...rest, step, name: names[step] }))} />
        )}
      </div>
    </section>
  );
}

function useTestResult(begun: Test | undefined): Test | undefined {
  const query = useQuery({
    queryKey: ['organization', 'sso-test', begun?.id],
    queryFn: () => toolgate.organization.sso.getTest(begun?.id ?? ''),
    enabled: begun?.status === 'waiting',
    initialData: begun,
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? POLL_MS : false),
  });
  return begun && (query.data?.id === begun.id ? query.data : begun);
}

const names: Record<SsoTestStepName, string> = {
  break_glass: 'Someone can sign in without the provider',
  domains: 'The domains are yours',
  discovery: "The provider's configuration can be read",
  keys: 'Its keys can be read',
  sign_in: 'You signed in there',
  token: 'It accepts the client ID and the secret',
  id_token: 'Its ID token is valid',
  email: 'The email address is verified and belongs to your domains',
  role: 'The groups give a role',
  account: 'There is an account, or one can be created',
};
