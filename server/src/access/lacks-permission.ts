// The refusal of a caller whose credential lacks a permission. It names the permissions that the credential has.

import type { Permission } from '@toolgate/contract/permissions.ts';
import { type ApiError, type Details, refuse } from '../errors/errors.ts';
import type { Caller } from './caller.ts';

export function lacksPermission(caller: Caller, required: Permission, details: Details = {}): ApiError {
  return refuse.insufficientPermissions({
    details: {
      ...details,
      required,
      granted: caller.kind === 'root' ? [] : caller.permissions,
      remedy:
        caller.kind === 'account'
          ? `Ask an admin of the organization for a role with the permission ${required}.`
          : `Use an API key with the permission ${required}.`,
    },
  });
}
