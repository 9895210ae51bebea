// Every error that the client throws. One class per kind of response, so that callers can tell them apart with instanceof.

import type { Approval } from './types.ts';

export type ErrorFields = {
  message: string;
  status?: number | null;
  code?: string | null;
  requestId?: string | null;
  docsUrl?: string | null;
  /** For a response whose `details` are empty. */
  remedy?: string | null;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number | null;
};

/** A request failed. The subclasses say how; this class itself is for statuses that have none. */
export class ToolgateError extends Error {
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Names the error, for programs, for example `NOT_FOUND`; null if the response was not from the API. */
  readonly code: string | null;
  /** Id of the request, for support and for `requests.get()`. */
  readonly requestId: string | null;
  /** A page of the server that explains the error: its cause, and what to do. Null if the response was not from the API. */
  readonly docsUrl: string | null;
  /** What to do about it: one sentence, for people. Null if the response was not from the API. */
  readonly remedy: string | null;
  /** The field that is wrong, its value, and what to do. Empty if no field is wrong. */
  readonly details: Record<string, unknown>;
  /** `Retry-After` of the response. */
  readonly retryAfterSeconds: number | null;

  constructor({ message, status, code, requestId, docsUrl, remedy, details, retryAfterSeconds }: ErrorFields) {
    super(message);
    this.status = status ?? null;
    this.code = code ?? null;
    this.requestId = requestId ?? null;
    this.docsUrl = docsUrl ?? null;
    this.details = details ?? {};
    this.remedy = typeof details?.remedy === 'string' ? details.remedy : (remedy ?? null);
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }

  // On the prototype, so that the stack begins with this name and minifiers do not change it.
  static {
    ToolgateError.prototype.name = 'ToolgateError';
  }
}

/** 401: the API key is missing, unknown, inactive, revoked, expired or of another project. */
export class AuthenticationError extends ToolgateError {
  static {
    AuthenticationError.prototype.name = 'AuthenticationError';
  }
}

/** 403: the API key is valid and lacks a permission. */
export class PermissionError extends ToolgateError {
  static {
    PermissionError.prototype.name = 'PermissionError';
  }
}

/** 404: there is no such resource in this project. */
export class NotFoundError extends ToolgateError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}

/** 409: the request conflicts with what exists, for example a name that is taken. */
export class ConflictError extends ToolgateError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}

/** 409: a person has to confirm the call of a tool. Nothing was sent. */
export class ConfirmationRequiredError extends ConflictError {
  /** The call that a person must approve. Once it is approved, repeat the call with `approvalId: error.approval.id`. */
  get approval(): Approval {
    return this.details.approval as Approval;
  }

  static {
    ConfirmationRequiredError.prototype.name = 'ConfirmationRequiredError';
  }
}

/** 400 or 422: a field is wrong: see `details.field`. */
export class ValidationError extends ToolgateError {
  static {
    ValidationError.prototype.name = 'ValidationError';
  }
}

/** 429: the project has used its requests; `retryAfterSeconds` is how long to wait. */
export class RateLimitError extends ToolgateError {
  static {
    RateLimitError.prototype.name = 'RateLimitError';
  }
}

/** 502, or 500 with a `TOOL_…` code: the API behind a tool failed, not toolgate. */
export class UpstreamError extends ToolgateError {
  static {
    UpstreamError.prototype.name = 'UpstreamError';
  }
}

/** Any other 5xx. */
export class ServerError extends ToolgateError {
  static {
    ServerError.prototype.name = 'ServerError';
  }
}

/** There was no response: no connection, or it broke. */
export class ConnectionError extends ToolgateError {
  static {
    ConnectionError.prototype.name = 'ConnectionError';
  }
}

/** There was no response within `timeoutMs`. */
export class TimeoutError extends ToolgateError {
  static {
    TimeoutError.prototype.name = 'TimeoutError';
  }
}

export function errorClass(status: number, code: string | null): typeof ToolgateError {
  if (status === 500 && code?.startsWith('TOOL_')) return UpstreamError;
  if (code === 'CONFIRMATION_REQUIRED') return ConfirmationRequiredError;
  return classes[status] ?? (status >= 500 ? ServerError : ToolgateError);
}

const classes: Record<number, typeof ToolgateError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
  502: UpstreamError,
};
