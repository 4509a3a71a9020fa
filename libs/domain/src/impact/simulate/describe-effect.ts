import { type CompiledFlow, type Context, type Effect, TOKEN_PATTERN, type WebhookToken } from '../../engine/index.js';
import type { Json } from '../../json/json.js';
import type { SimulatedEffect } from './simulation.js';

/** What would be sent or triggered, as it would be read at the other end (S19). */
export function describeEffect(flow: CompiledFlow, effect: Effect, version: number, context: Context): SimulatedEffect {
  const block = flow.byUid.get(effect.block)?.id ?? effect.block;
  if (effect.kind === 'flow-trigger') return { ...effect, block };
  const tokens = tokensOf(flow, version, context);
  return {
    kind: effect.kind,
    block,
    url: effect.url,
    headers: Object.fromEntries(effect.headers.map(({ name, value }) => [name.toLowerCase(), fill(value, tokens)])),
    ...(effect.body !== undefined && { body: fillAll(effect.body, tokens) }),
  };
}

type Tokens = Readonly<Record<WebhookToken, string>>;

function tokensOf({ definition: { flow, name } }: CompiledFlow, version: number, { user, now }: Context): Tokens {
  return {
    'flow.name': name ?? flow,
    'flow.identifier': flow,
    'flow.version': String(version),
    'user.identifier': user.identifier,
    timestamp: new Date(now).toISOString(),
  };
}

/** Every text inside, as JSON's own reviver finds them. */
const fillAll = (body: Json, tokens: Tokens): Json =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) => (typeof value === 'string' ? fill(value, tokens) : value)) as Json;

const fill = (text: string, tokens: Tokens): string =>
  text.replace(TOKEN_PATTERN, (whole, name: string) => (Object.hasOwn(tokens, name) ? tokens[name as WebhookToken] : whole));
