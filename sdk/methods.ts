// The methods of the client: their names, and the operation of the API that each of them is. write-methods.ts makes code of it.
// `execute`, `watch`, `stream`, `upload`, `content` and `memberSessions` are written by hand, in src/resources/.

import type { routes } from '@toolgate/contract/resources.ts';

type OperationId = keyof typeof routes | 'loadSampleTools';

/** A method that is repeated after a failure in another way than others; src/retry.ts says what the words mean. */
type Repeated = { operation: OperationId; repetition: 'once' | 'idempotent' | 'tool_call' };

export type Method = OperationId | Repeated;

export type Methods = { [name: string]: Method | Methods };

export function isMethod(value: Method | Methods): value is Method {
  return typeof value === 'string' || typeof value.operation === 'string';
}

/** It may be sent again, although it is a POST: the second time changes nothing more. */
const idempotent = (operation: OperationId): Repeated => ({ operation, repetition: 'idempotent' });

/** The server counts wrong passwords. */
const once = (operation: OperationId): Repeated => ({ operation, repetition: 'once' });

/** The methods of most resources: `createLimit`, `listLimits` and so on. */
const crud = <const Noun extends string>(noun: Noun) => ({
  create: `create${noun}` as const,
  list: `list${noun}s` as const,
  get: `get${noun}` as const,
  update: `update${noun}` as const,
  delete: `delete${noun}` as const,
});

/** Resources that are written by hand in src/resources/, and those that add to what is generated. */
export const writtenResources: Readonly<Record<string, string>> = {
  customTools: 'custom-tools.ts',
  files: 'files.ts',
  memberSessions: 'member-sessions.ts',
  tasks: 'tasks.ts',
  toolCalls: 'tool-calls.ts',
};

/** By resource. */
export const methods: Record<string, Methods> = {
  projects: {
    ...crud('Project'),
    settings: { get: 'getProjectSettings', update: 'updateProjectSettings' },
    usage: { get: 'getUsage' },
    payloadUsage: { get: 'getPayloadUsage' },
    retention: { get: 'getRetention' },
  },
  apiKeys: {
    ...crud('ApiKey'),
    rotate: 'rotateApiKey',
    revoke: idempotent('revokeApiKey'),
  },
  toolsets: crud('Toolset'),
  limits: {
    ...crud('Limit'),
    usage: { list: 'readLimitUsage' },
  },
  approvals: {
    list: 'listApprovals',
    get: 'getApproval',
    approve: idempotent('approveCall'),
    decline: idempotent('declineCall'),
  },
  directories: {
    report: { get: 'getDirectoryReport' },
    serverJson: { get: 'getServerJson' },
    submissions: { create: 'createDirectorySubmission', list: 'listDirectorySubmissions' },
  },
  certificates: {
    ...crud('Certificate'),
    test: 'testCertificate',
  },
  hooks: {
    ...crud('Hook'),
    rotateSecret: 'rotateHookSecret',
    test: 'testHook',
  },
  mcpServers: {
    ...crud('McpServer'),
    sync: idempotent('syncMcpServer'),
    approve: 'approveTools',
    approveIssuer: 'approveServerIssuer',
    reject: 'rejectTools',
    pending: { list: 'listPendingTools' },
    tools: { list: 'listApprovedTools' },
    view: 'getMcpServerView',
  },
  effectiveTools: { list: 'listEffectiveTools' },
  integrations: {
    ...crud('Integration'),
    apiKeys: { create: 'createIntegrationApiKey', list: 'listIntegrationApiKeys' },
  },
  assertionKeys: {
    create: 'registerAssertionKey',
    list: 'listAssertionKeys',
    get: 'getAssertionKey',
    delete: 'deleteAssertionKey',
    deactivate: idempotent('deactivateAssertionKey'),
    debug: idempotent('debugAssertion'),
  },
  members: {
    list: 'listMembers',
    get: 'getMember',
    delete: 'deleteMember',
    revokeSessions: idempotent('revokeMemberSessions'),
    connections: { list: 'listMemberConnections', delete: 'revokeMemberConnection' },
    grants: { list: 'listMemberGrants', delete: 'revokeMemberGrant' },
  },
  oauthConnections: { authorize: 'authorizeConnection' },
  customTools: {
    ...crud('CustomTool'),
    enable: idempotent('enableCustomTool'),
    disable: idempotent('disableCustomTool'),
    duplicate: 'duplicateCustomTool',
    test: { operation: 'executeCustomTool', repetition: 'tool_call' },
    preview: idempotent('previewCustomTool'),
    previewDefinition: idempotent('previewToolDefinition'),
    previewResponse: idempotent('previewToolResponse'),
    import: 'importCustomTools',
    bulk: 'changeCustomTools',
    verifySignature: idempotent('verifyToolSignature'),
    loadSample: 'loadSampleTools',
    encryptionKey: 'getEncryptionKey',
    versions: { list: 'listCustomToolVersions', get: 'getCustomToolVersion' },
  },
  files: { get: 'getFile', delete: 'deleteFile' },
  tasks: { list: 'listTasks', get: 'getTask', cancel: idempotent('cancelTask') },
  toolCalls: { list: 'listToolCalls', get: 'getToolCall' },
  analytics: { get: 'getAnalytics', results: 'getResultReport' },
  requests: { list: 'listRefusedRequests', get: 'getRequestTrace' },
  events: { list: 'listEvents', get: 'getEvent', types: { list: 'listEventTypes' } },
  webhooks: {
    ...crud('Webhook'),
    rotateSecret: 'rotateWebhookSecret',
    ping: 'pingWebhook',
    sendTestEvent: 'sendTestEvent',
    recover: 'recoverDeliveries',
    deliveries: { list: 'listDeliveries', get: 'getDelivery', redeliver: 'redeliver' },
  },
  logStreams: {
    ...crud('LogStream'),
    rotateSecret: 'rotateLogStreamSecret',
    test: idempotent('testLogStream'),
    auditKeys: 'listAuditKeys',
  },
  oauthProviders: {
    ...crud('OAuthProvider'),
    test: idempotent('testOAuthProvider'),
    debugIdJag: idempotent('debugIdJag'),
  },
  oauthClients: {
    ...crud('OAuthClient'),
    rotateSecret: 'rotateOAuthClientSecret',
  },
  auditLog: { list: 'listAuditLog' },
  account: {
    needsSetup: 'getSetup',
    setup: 'setUp',
    signIn: 'signIn',
    signOut: 'signOut',
    reauthenticate: 'reauthenticate',
    get: 'getAccount',
    update: once('updateAccount'),
    sessions: { list: 'listAccountSessions', delete: 'endAccountSession', endOthers: 'endOtherAccountSessions' },
    totp: {
      create: 'beginTotp',
      confirm: 'confirmTotp',
      newRecoveryCodes: 'renewRecoveryCodes',
      delete: once('disableTotp'),
    },
    invitations: { inspect: 'inspectInvitation', accept: 'acceptInvitation' },
    sso: { link: once('linkSso') },
  },
  organization: {
    get: 'getOrganization',
    update: 'updateOrganization',
    delete: once('deleteOrganization'),
    accounts: {
      list: 'listAccounts',
      get: 'getOrganizationAccount',
      update: 'changeRole',
      delete: 'removeAccount',
    },
    invitations: {
      list: 'listInvitations',
      create: 'createInvitation',
      resend: 'resendInvitation',
      delete: 'deleteInvitation',
    },
    sso: {
      get: 'getOrganizationSso',
      set: 'setOrganizationSso',
      delete: 'deleteOrganizationSso',
      test: 'testOrganizationSso',
      getTest: 'getOrganizationSsoTest',
    },
    auditLog: { list: 'listOrganizationAuditLog' },
  },
};
