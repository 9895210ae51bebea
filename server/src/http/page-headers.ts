// The headers of pages that load scripts and styles: those of the dashboard and of the documentation.

export const STRICT_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  // Forms are sent by the script. Without it, nothing that was typed leaves the page.
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

export const pageHeaders = (policy: Record<string, string>): Record<string, string> => ({
  'content-security-policy': Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

export const headersOfPages = pageHeaders(STRICT_POLICY);
