import { type CompiledFlow, type Context, type Effect, fillBody, fillTokens, type TokenValues } from '../../engine/index.js';
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
    headers: Object.fromEntries(effect.headers.map(({ name, value }) => [name.toLowerCase(), fillTokens(value, tokens)])),
    ...(effect.body !== undefined && { body: JSON.parse(fillBody(effect.body, tokens)) as Json }),
  };
}

function tokensOf({ definition: { flow, name } }: CompiledFlow, version: number, { user, now }: Context): TokenValues {
  return {
    'flow.name': name ?? flow,
    'flow.identifier': flow,
    'flow.version': String(version),
    'user.identifier': user.identifier,
    timestamp: new Date(now).toISOString(),
  };
}
