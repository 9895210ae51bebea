// Mounts the dashboard.

import './styles.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ToolgateError } from '@toolgate/sdk';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSessionEnd, queryClient } from '../api/client.ts';
import { Toasts } from '../ui/toast.tsx';
import { checkKeptPage } from './kept-page.ts';
import { router } from './routes.tsx';

onSessionEnd(() => {
  const { pathname, searchStr } = router.state.location;
  if (/^\/(sign-in|setup|invitation)$/.test(pathname)) return undefined;
  // A dialog or unsaved changes keep the page: a secret or what was typed would be lost. Its next request says what to do.
  return router.navigate({ to: '/sign-in', search: { reason: 'expired', next: pathname + searchStr }, replace: true });
});

checkKeptPage();

// A failed request is on the page, with its request id. Only bugs are in the console.
const onCaughtError = (error: unknown) => error instanceof ToolgateError || reportError(error);

createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider>
          <RouterProvider router={router} />
          <Toasts />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
