// /members: the people whom assertions named, and their connected accounts.

import type { Api, CallOptions } from '../api.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { Query, Schema } from './schema.ts';

export type Member = Schema<'Member'>;
/** @deprecated Every `Member` has the number of its sessions. */
export type MemberWithSessions = Member;
export type OAuthConnection = Schema<'OAuthConnection'>;
export type OAuthGrant = Schema<'OAuthGrant'>;

export type Members = {
  list(filters?: Query<'listMembers'>, options?: CallOptions): List<Member>;
  get(id: string, options?: CallOptions): Promise<Member>;
  /** Ends all sessions of a member at once. */
  revokeSessions(id: string, options?: CallOptions): Promise<Member>;
  /** The accounts with OAuth providers that a member has connected. */
  connections: {
    list(memberId: string, filters?: Query<'listMemberConnections'>, options?: CallOptions): List<OAuthConnection>;
    /** Revokes it at the provider, and deletes its tokens. */
    delete(memberId: string, connectionId: string, options?: CallOptions): Promise<void>;
  };
  /** The OAuth clients that act for a member. */
  grants: {
    list(memberId: string, filters?: Query<'listMemberGrants'>, options?: CallOptions): List<OAuthGrant>;
    /** Ends a grant with its refresh token and its sessions. */
    delete(memberId: string, grantId: string, options?: CallOptions): Promise<void>;
  };
};

export function members(api: Api): Members {
  const connections = (id: string) => path`/projects/${api.projectId()}/members/${id}/connections`;
  const grants = (id: string) => path`/projects/${api.projectId()}/members/${id}/grants`;
  return {
    list: (filters, options) => list(api, { path: () => '/members', query: filters, options }),
    async get(id, options) {
      return api.send({ method: 'GET', path: path`/members/${id}`, options });
    },
    async revokeSessions(id, options) {
      return api.send({ method: 'POST', path: path`/members/${id}/revoke-sessions`, options });
    },
    connections: {
      list: (id, filters, options) => list(api, { path: () => connections(id), query: filters, options }),
      async delete(id, connectionId, options) {
        return api.send({ method: 'DELETE', path: connections(id) + path`/${connectionId}`, options });
      },
    },
    grants: {
      list: (id, filters, options) => list(api, { path: () => grants(id), query: filters, options }),
      async delete(id, grantId, options) {
        return api.send({ method: 'DELETE', path: grants(id) + path`/${grantId}`, options });
      },
    },
  };
}
