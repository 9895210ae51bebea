// "Back" may show a page that the browser kept in memory as it was. It stays hidden until it is known that its session still is.

import { queryClient, toolgate } from '../api/client.ts';
import { accountQuery } from '../api/session.ts';

export function checkKeptPage(): void {
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted && knownSession() !== undefined) document.documentElement.hidden = true;
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && knownSession() !== undefined) showOrReload();
  });
}

const knownSession = () => queryClient.getQueryData(accountQuery.queryKey)?.session.id;

function showOrReload(): void {
  const show = () => {
    document.documentElement.hidden = false;
  };
  // Signed out, or somebody else: nothing of the kept page stays.
  const reload = () => window.location.reload();
  toolgate.account.get().then(({ session }) => (session.id === knownSession() ? show() : reload()), reload);
}
