// Ends the session of the person and leads to the sign-in.

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toolgate } from '../../api/client.ts';
import { showError } from '../../ui/toasts.ts';

export function useSignOut(): () => void {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationFn: () => toolgate.account.signOut(),
    onSuccess: () => navigate({ to: '/sign-in', search: { reason: 'signed-out' }, ignoreBlocker: true }),
    onError: showError,
  });
  return () => mutate();
}
