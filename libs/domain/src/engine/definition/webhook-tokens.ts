/** What may stand as `${…}` in the headers and the body of a webhook (S19). */
export const WEBHOOK_TOKENS = ['flow.name', 'flow.identifier', 'flow.version', 'user.identifier', 'timestamp'] as const;
export type WebhookToken = (typeof WEBHOOK_TOKENS)[number];

/** Everything in a text that looks like a token, known or not; the name is the first group. For `matchAll` and `replaceAll`. */
export const TOKEN_PATTERN = /\$\{([^{}]*)\}/g;
