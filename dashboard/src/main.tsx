// Mounts the dashboard.

import './styles.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSessionEnd, queryClient } from './api.ts';
import { Toasts } from './components/toast.tsx';
import { router } from './routes.tsx';

onSessionEnd(() => {
  const { pathname, searchStr } = router.state.location;
  if (/^\/(sign-in|setup|invitation)$/.test(pathname)) return undefined;
  // A dialog or unsaved changes keep the page: a secret or what was typed would be lost. Its next request says what to do.
  return router.navigate({ to: '/sign-in', search: { reason: 'expired', next: pathname + searchStr }, replace: true });
});

createRoot(document.getElementById('root') as HTMLElement).render(
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
