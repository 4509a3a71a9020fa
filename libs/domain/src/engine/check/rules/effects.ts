import {
  type BlockDraft,
  INTENTS,
  type TriggerDraft,
  type WebhookDraft,
} from '../../definition/definition.js';
import type { Json } from '../../../targeting/json/json.js';
import { headerProblem, isReservedHeader } from '../../definition/header-rules.js';
import { TOKEN_PATTERN, WEBHOOK_TOKENS } from '../../definition/webhook-tokens.js';
import { isSid } from './identifiers.js';
import { error, type Problem, warning } from '../problems/problem.js';
import type { Rule, CheckedDraft } from './checked-draft.js';
import { didYouMean } from '../problems/suggest.js';

/** What a URL loses in silence when it is read. */
const LOST_IN_URL = /^ | $|\p{Cc}/u;

/** Webhooks can be sent and triggers carried out, as far as the definition shows (S19). */
export const checkEffects: Rule = (checked) =>
  checked.draft.blocks.flatMap((block) => {
    if (block.type === 'webhook') return checkWebhook(block);
    return block.type === 'flow-trigger' ? checkTrigger(block, checked) : [];
  });

function checkWebhook(webhook: WebhookDraft): Problem[] {
  const place = placeOf(webhook);
  return [
    ...checkUrl(webhook.url, [...place, 'url']),
    ...webhook.headers.flatMap(({ name, value }) =>
      checkHeader(name, value, [...place, 'headers', name]),
    ),
    ...checkBody(webhook.body, [...place, 'body']),
  ];
}

function checkUrl(url: string, place: Problem['place']): Problem[] {
  const protocol = URL.canParse(url) && !LOST_IN_URL.test(url) ? new URL(url).protocol : null;
  if (protocol !== 'http:' && protocol !== 'https:') {
    return [
      error(
        'webhook.bad-url',
        place,
        `"${url}" is not an address to send to; write it in full: https://host/path`,
      ),
    ];
  }
  if (url.match(TOKEN_PATTERN) === null) return [];
  return [
    warning(
      'webhook.token-in-url',
      place,
      'tokens are replaced in headers and body only; here they are sent as they stand',
    ),
  ];
}

function checkHeader(name: string, value: string, place: Problem['place']): Problem[] {
  const problem = headerProblem(name, value);
  if (problem === undefined) return checkTokens(value, place);
  if (isReservedHeader(name))
    return [warning('webhook.reserved-header', place, `${problem}; what stands here is not sent`)];
  return [error('webhook.bad-header', place, problem)];
}

function checkBody(body: Json | undefined, place: Problem['place']): Problem[] {
  const problems: Problem[] = [];
  const pending: { value: Json; place: Problem['place'] }[] =
    body === undefined ? [] : [{ value: body, place }];
  // A list of what is still to look at, not recursion, and pushed one by one: a body may be as deep
  // and as long as it likes.
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, place: at } = next;
    if (typeof value === 'string') problems.push(...checkTokens(value, at));
    else if (Array.isArray(value))
      for (let index = value.length - 1; index >= 0; index--)
        pending.push({ value: value[index]!, place: [...at, index] });
    else if (value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) problems.push(...checkKey(key, [...at, key]));
      for (const [key, inner] of Object.entries(value).reverse())
        pending.push({ value: inner, place: [...at, key] });
    }
  }
  return problems;
}

function checkKey(key: string, place: Problem['place']): Problem[] {
  if (key.match(TOKEN_PATTERN) === null) return [];
  return [
    warning(
      'webhook.token-in-key',
      place,
      'tokens are replaced in values only; this key is sent as it stands',
    ),
  ];
}

function checkTokens(text: string, place: Problem['place']): Problem[] {
  const allowed: readonly string[] = WEBHOOK_TOKENS;
  const unknown = [...text.matchAll(TOKEN_PATTERN)]
    .map((match) => match[1] ?? '')
    .filter((name) => !allowed.includes(name));
  return unknown.map((name) => {
    const advice = `allowed are ${allowed.map((token) => `\${${token}}`).join(' ')}`;
    return error(
      'webhook.unknown-token',
      place,
      `unknown token \${${name}}; ${advice}${didYouMean(name, allowed)}`,
    );
  });
}

function checkTrigger(trigger: TriggerDraft, { draft, known }: CheckedDraft): Problem[] {
  const { flow, intent, version } = trigger;
  const place = placeOf(trigger);
  const problems: Problem[] = [];
  if (!isSid(flow))
    problems.push(
      error('trigger.bad-flow', [...place, 'flow'], `"${flow}" cannot identify a flow`),
    );
  else if (known.flows && !known.flows.has(flow) && flow !== draft.flow) {
    problems.push(
      warning(
        'trigger.unknown-flow',
        [...place, 'flow'],
        `there is no flow "${flow}" yet${didYouMean(flow, known.flows)}`,
      ),
    );
  }
  if (!INTENTS.includes(intent)) {
    problems.push(
      error(
        'trigger.unknown-intent',
        [...place, 'intent'],
        `"${intent}" is not an intent; allowed are ${INTENTS.join(', ')}`,
      ),
    );
  }
  if (version !== 'latest' && !(Number.isSafeInteger(version) && version >= 0)) {
    problems.push(
      error(
        'trigger.bad-version',
        [...place, 'version'],
        `a version is "latest" or a whole number from 0, not ${version}`,
      ),
    );
  }
  return problems;
}

function placeOf({ id }: BlockDraft): string[] {
  return ['blocks', id];
}
