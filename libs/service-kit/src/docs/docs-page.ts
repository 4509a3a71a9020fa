/**
 * The page that shows the contract: `swagger-ui-dist`, loaded from the service itself, so it works offline and behind a
 * proxy that adds a prefix. What it runs stands in files of their own, as no inline script is allowed.
 */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Contract</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/viewer.css">
<body><div id="contract"></div>
<noscript>This page needs JavaScript; the same for machines is <a href="docs/json">docs/json</a>.</noscript>
<script src="docs/viewer.js"></script>
<script src="docs/start.js"></script>
</body></html>
`;

/** No request leaves for elsewhere: the viewer would ask a validator of its own maker about the document. */
export const DOCS_START = `const viewer = SwaggerUIBundle({
  url: 'docs/json', dom_id: '#contract', deepLinking: true, tryItOutEnabled: true, validatorUrl: null,
  onComplete: () => (document.title = viewer.specSelectors.info().get('title')),
});
`;

/**
 * Nothing but what the service itself serves. Without helmet's `upgrade-insecure-requests`, which would ask a service that
 * speaks plain HTTP for HTTPS.
 */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
