// The public surface of @toolgate/sdk.

export type { CallOptions } from './api.ts';
export { Toolgate } from './client.ts';
export type { RawBody } from './encoding.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ToolgateError,
  UpstreamError,
  ValidationError,
} from './errors.ts';
export type { ReceivedHeaders } from './headers.ts';
export type { ToolgateOptions } from './options.ts';
export type { List, Page } from './page.ts';
export type { AssertionAlgorithm, CryptoKeyLike, Jwk, PrivateKey } from './private-key.ts';
export type {
  Account,
  AccountRole,
  AccountSession,
  CurrentAccount,
  InvitationPreview,
  Organization,
  PendingTotp,
  RecoveryCodes,
  SetupResult,
} from './resources/account.ts';
export type { AnalyticsReport, RequestTrace } from './resources/analytics.ts';
export type { ApiKey, NewApiKey } from './resources/api-keys.ts';
export type { AssertionKey, AssertionReport } from './resources/assertion-keys.ts';
export type {
  CustomTool,
  CustomToolVersion,
  EncryptionKey,
  SignatureCheck,
  ToolExecutionResult,
  ToolImport,
  ToolRequestPreview,
} from './resources/custom-tools.ts';
export type { AuditEntry, Event, EventType } from './resources/events.ts';
export type { Integration } from './resources/integrations.ts';
export type { MemberSession, NewMemberSession } from './resources/member-sessions.ts';
export type { Member, MemberWithSessions, OAuthConnection, OAuthGrant } from './resources/members.ts';
export type { NewOAuthClient, OAuthClient, OAuthProvider, OAuthProviderReport } from './resources/oauth.ts';
export type { Invitation, NewInvitation } from './resources/organization.ts';
export type { Project, ProjectSettings, Retention, Usage } from './resources/projects.ts';
export type { StreamOptions, ToolCall, ToolCallDetails } from './resources/tool-calls.ts';
export type { Delivery, DeliveryWithAttempts, NewWebhook, Webhook } from './resources/webhooks.ts';
export { type SecretToSeal, sealSecret } from './seal-secret.ts';
export { type MemberAssertion, signMemberAssertion } from './sign-member-assertion.ts';
export { type FirstDifference, SignatureError, type SignatureReason } from './signature-error.ts';
export { type ToolRequest, type ToolRequestContext, verifyToolRequest } from './verify-tool-request.ts';
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';
