// /organization: its people and invitations, for pages of toolgate's own origin (`apiKey: null`).

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { Account, Organization } from './account.ts';
import type { AuditEntry } from './events.ts';
import type { Query, Schema } from './schema.ts';

export type Invitation = Schema<'Invitation'>;
/** With `link`, which no later answer shows. */
export type NewInvitation = Schema<'NewInvitation'>;

export type OrganizationMethods = {
  get(options?: CallOptions): Promise<Organization>;
  update(change: Schema<'OrganizationChange'>, options?: CallOptions): Promise<Organization>;
  /** Deletes it with all its accounts. It must have no projects. */
  delete(fields: Schema<'PasswordConfirmation'>, options?: CallOptions): Promise<void>;
  accounts: {
    list(filters?: Query<'listAccounts'>, options?: CallOptions): List<Account>;
    get(id: string, options?: CallOptions): Promise<Account>;
    update(id: string, change: Schema<'RoleChange'>, options?: CallOptions): Promise<Account>;
    delete(id: string, options?: CallOptions): Promise<void>;
  };
  invitations: {
    list(filters?: Query<'listInvitations'>, options?: CallOptions): List<Invitation>;
    create(fields: Schema<'InvitationInput'>, options?: CallOptions): Promise<NewInvitation>;
    /** Makes a new link; the old one ends. */
    resend(id: string, options?: CallOptions): Promise<NewInvitation>;
    delete(id: string, options?: CallOptions): Promise<void>;
  };
  auditLog: { list(filters?: Query<'listOrganizationAuditLog'>, options?: CallOptions): List<AuditEntry> };
};

export function organization(api: Api): OrganizationMethods {
  const accounts = '/organization/accounts';
  const invitations = '/organization/invitations';
  return {
    get: (options) => api.send({ method: 'GET', path: '/organization', options }),
    update: (body, options) => api.send({ method: 'PATCH', path: '/organization', body, options }),
    delete: (body, options) => api.send({ method: 'DELETE', path: '/organization', body, options, repetition: 'once' }),
    accounts: {
      list: (filters, options) => list(api, { path: () => accounts, query: filters, options }),
      get: async (id, options) => api.send({ method: 'GET', path: accounts + path`/${id}`, options }),
      update: async (id, body, options) => api.send({ method: 'PATCH', path: accounts + path`/${id}`, body, options }),
      delete: async (id, options) => api.send({ method: 'DELETE', path: accounts + path`/${id}`, options }),
    },
    invitations: {
      list: (filters, options) => list(api, { path: () => invitations, query: filters, options }),
      create: (body, options) =>
        api.send({ method: 'POST', path: invitations, body, options, hasIdempotencyKey: true }),
      resend: async (id, options) =>
        api.send({ method: 'POST', path: invitations + path`/${id}/resend`, options, repetition: 'once' }),
      delete: async (id, options) => api.send({ method: 'DELETE', path: invitations + path`/${id}`, options }),
    },
    auditLog: {
      list: (filters, options) => list(api, { path: () => '/organization/audit-log', query: filters, options }),
    },
  };
}
