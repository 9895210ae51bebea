// The public surface of @toolgate/sdk.

import type { Account, Member } from './types.ts';

export type { CallOptions } from './api.ts';
export { Toolgate } from './client.ts';
export type { RawBody } from './encoding.ts';
export {
  AuthenticationError,
  ConfirmationRequiredError,
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
export type { ExecuteOptions } from './resources/custom-tools.ts';
export type { FileContent, UploadOptions } from './resources/files.ts';
export type { NewMemberSession } from './resources/member-sessions.ts';
export type { StreamOptions } from './resources/tool-calls.ts';
export { type SecretToSeal, sealSecret } from './seal-secret.ts';
export { type MemberAssertion, signMemberAssertion } from './sign-member-assertion.ts';
export { type FirstDifference, SignatureError, type SignatureReason } from './signature-error.ts';
export type {
  Account,
  AccountSession,
  Analytics as AnalyticsReport,
  ApiKey,
  Approval,
  ApprovedTool,
  AssertionKey,
  AssertionReport,
  AuditEntry,
  Certificate,
  CertificateTest,
  CurrentAccount,
  CustomTool,
  CustomToolVersion,
  Delivery,
  DeliveryWithAttempts,
  DirectoryReport,
  DirectorySubmission,
  EffectiveTool,
  EncryptionKey,
  Event,
  EventType,
  File as StoredFile,
  Hook,
  HookTest,
  IdJagReport,
  Integration,
  Invitation,
  InvitationPreview,
  Limit,
  LimitUsage,
  Listing,
  LogStream,
  LogStreamTest,
  McpServer,
  Member,
  NewApiKey,
  NewHook,
  NewInvitation,
  NewLogStream,
  NewOAuthClient,
  NewWebhook,
  OAuthClient,
  OAuthConnection,
  OAuthGrant,
  OAuthProvider,
  OAuthProviderReport,
  Organization,
  OrganizationSso,
  OrganizationSsoInput,
  PayloadUsage,
  PendingTool,
  PendingTotp,
  PinnedIssuer,
  Project,
  ProjectSettings,
  RecoveryCodes,
  RequestTrace,
  ResultReport,
  Retention,
  ServerIssuer,
  ServerJson,
  SessionToken as MemberSession,
  SetupResult,
  SignatureCheck,
  SsoTest,
  StartedTask,
  Task,
  ToolCallDetails,
  ToolCallEntry as ToolCall,
  ToolExecutionResult,
  ToolImport,
  ToolRequestPreview,
  ToolResponsePreview,
  Toolset,
  Usage,
  Webhook,
} from './types.ts';
export {
  type MemberJwtContext,
  type MemberJwtKey,
  type MemberJwtOptions,
  verifyMemberJwt,
} from './verify-member-jwt.ts';
export { type ToolRequest, type ToolRequestContext, verifyToolRequest } from './verify-tool-request.ts';
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';

export type AccountRole = Account['role'];

/** @deprecated Every `Member` has the number of its sessions. */
export type MemberWithSessions = Member;
