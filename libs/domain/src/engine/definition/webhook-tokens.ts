import type { Json } from '../../targeting/json/json.js';

/** The tokens, written as `${…}`, of the headers and the body of a webhook (S19). */
export const WEBHOOK_TOKENS = [
  'flow.name',
  'flow.identifier',
  'flow.version',
  'user.identifier',
  'timestamp',
] as const;
type WebhookToken = (typeof WEBHOOK_TOKENS)[number];

/**
 * Everything in a text that looks like a token, known or not; the name is the first group. For
 * `matchAll` and `replaceAll`.
 */
export const TOKEN_PATTERN = /\$\{([^{}]*)\}/g;

/** The value of each token. */
export type TokenValues = Readonly<Record<WebhookToken, string>>;

/** A text with its tokens replaced, each as `escape` writes it; what is no token stays. */
export const fillTokens = (
  text: string,
  values: TokenValues,
  escape: (value: string) => string = String,
): string =>
  text.replace(TOKEN_PATTERN, (whole, name: string) =>
    Object.hasOwn(values, name) ? escape(values[name as WebhookToken]) : whole,
  );

/**
 * JSON with the tokens of its texts replaced, before it is written, which escapes what was filled
 * in.
 */
export const fillBody = (body: Json, values: TokenValues): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'string' ? fillTokens(value, values) : value,
  );
