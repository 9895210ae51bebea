// /account: the person who is signed in, for pages of toolgate's own origin (`apiKey: null`).

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { Query, Schema } from './schema.ts';

export type Account = Schema<'Account'>;
export type AccountRole = Account['role'];
export type AccountSession = Schema<'AccountSession'>;
export type CurrentAccount = Schema<'CurrentAccount'>;
export type Organization = Schema<'Organization'>;
export type SetupResult = Schema<'SetupResult'>;
export type PendingTotp = Schema<'PendingTotp'>;
export type RecoveryCodes = Schema<'RecoveryCodes'>;
export type InvitationPreview = Schema<'InvitationPreview'>;

type Password = Schema<'PasswordConfirmation'>;

export type AccountMethods = {
  /** Whether nobody owns this server yet; 404 afterwards. */
  needsSetup(options?: CallOptions): Promise<Schema<'SetupNeeded'>>;
  /** Creates the first owner and a project, and signs in. */
  setup(fields: Schema<'Setup'>, options?: CallOptions): Promise<SetupResult>;
  /** Sets the cookie of the session. Never repeated by itself. */
  signIn(fields: Schema<'SignIn'>, options?: CallOptions): Promise<CurrentAccount>;
  signOut(options?: CallOptions): Promise<void>;
  get(options?: CallOptions): Promise<CurrentAccount>;
  update(change: Schema<'AccountChange'>, options?: CallOptions): Promise<CurrentAccount>;
  sessions: {
    list(filters?: Query<'listAccountSessions'>, options?: CallOptions): List<AccountSession>;
    delete(id: string, options?: CallOptions): Promise<void>;
    endOthers(options?: CallOptions): Promise<Schema<'EndedSessions'>>;
  };
  totp: {
    create(options?: CallOptions): Promise<PendingTotp>;
    confirm(fields: Schema<'TotpConfirmation'>, options?: CallOptions): Promise<RecoveryCodes>;
    newRecoveryCodes(fields: Password, options?: CallOptions): Promise<RecoveryCodes>;
    delete(fields: Password, options?: CallOptions): Promise<void>;
  };
  invitations: {
    inspect(fields: Schema<'InvitationToken'>, options?: CallOptions): Promise<InvitationPreview>;
    accept(fields: Schema<'InvitationAcceptance'>, options?: CallOptions): Promise<CurrentAccount>;
  };
};

export function account(api: Api): AccountMethods {
  const post = <T>(url: string, body: object | undefined, options: CallOptions | undefined) =>
    api.send<T>({ method: 'POST', path: url, body, options, repetition: 'once' });
  return {
    needsSetup: (options) => api.send({ method: 'GET', path: '/account/setup', options }),
    setup: (fields, options) => post('/account/setup', fields, options),
    signIn: (fields, options) => post('/account/sign-in', fields, options),
    signOut: (options) => post('/account/sign-out', undefined, options),
    get: (options) => api.send({ method: 'GET', path: '/account', options }),
    update: (body, options) => api.send({ method: 'PATCH', path: '/account', body, options, repetition: 'once' }),
    sessions: {
      list: (filters, options) => list(api, { path: () => '/account/sessions', query: filters, options }),
      delete: async (id, options) => api.send({ method: 'DELETE', path: path`/account/sessions/${id}`, options }),
      endOthers: (options) => post('/account/sessions/end-others', undefined, options),
    },
    totp: {
      create: (options) => post('/account/totp', undefined, options),
      confirm: (fields, options) => post('/account/totp/confirm', fields, options),
      newRecoveryCodes: (fields, options) => post('/account/totp/recovery-codes', fields, options),
      delete: (body, options) =>
        api.send({ method: 'DELETE', path: '/account/totp', body, options, repetition: 'once' }),
    },
    invitations: {
      inspect: (fields, options) => post('/account/invitations/inspect', fields, options),
      accept: (fields, options) => post('/account/invitations/accept', fields, options),
    },
  };
}
