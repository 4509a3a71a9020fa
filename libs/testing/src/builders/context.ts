import type { Context } from '@waymark/domain/engine';
import type { Json } from '@waymark/domain/json';

/** 2030-01-01T00:00:00Z, the time of every built context. */
export const NOW = Date.UTC(2030, 0, 1);

/** Somebody with these properties, asking at `NOW`; in a group if that has properties. */
export function someone(properties: Record<string, Json> = {}, group?: Record<string, Json>): Context {
  const times = { createdAt: NOW, updatedAt: NOW };
  return {
    now: NOW,
    user: { identifier: 'user-1', properties, ...times },
    group: group ? { identifier: 'group-1', properties: group, ...times } : null,
  };
}
