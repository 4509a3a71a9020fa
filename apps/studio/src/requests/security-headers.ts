/**
 * What the browser is told with every answer. Pages load nothing from elsewhere and run nothing that is not a file of the
 * studio: no inline script or style, no frame, no plug-in (T5).
 */
export const securityHeaders = (isHttps: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // CodeMirror's marks of problems are pictures in its styles.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
});
