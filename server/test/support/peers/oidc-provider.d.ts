// What the tests use of oidc-provider. Its types are in a package of their own, which brings twenty more.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Context = {
    oidc: { params?: Record<string, unknown>; client?: { clientId: string } };
    body: unknown;
  };

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    registerGrantType(name: string, handler: (ctx: Context) => Promise<void>, parameters: string[]): void;
  }

  export const errors: Record<'InvalidGrant' | 'InvalidRequest', new (description: string) => Error>;
}
