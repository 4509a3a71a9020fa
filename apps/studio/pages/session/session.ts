import { computed, signal } from '@preact/signals';
import type { Me } from '../../src/access/me.js';
import { call, CallError, onSessionEnd } from '../api/call.js';

/** Undefined until the server has been asked. */
export const me = signal<Me | undefined>(undefined);
/** Why there is no session, why it does not end, or why the server cannot be asked. */
export const trouble = signal<string | undefined>(undefined);
export const environments = signal<readonly string[]>([]);
export const mayEdit = computed(() => me.value?.role === 'editor');

onSessionEnd(() => void refresh());

/**
 * Trades the token behind the # for a cookie, takes it out of the address, and asks who is here
 * (T2).
 */
export async function begin(): Promise<void> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  const isFailed = location.hash === '#sign-in-failed';
  if (location.hash) history.replaceState(null, '', `${location.pathname}${location.search}`);
  if (isFailed)
    trouble.value =
      'Signing in failed. Try again; if it fails again, the log of the studio says why.';
  if (token) await call('/api/login', { body: { token } }).catch(showError);
  await refresh();
}

export async function refresh(): Promise<void> {
  try {
    const found = await call<Me>('/api/me');
    if (found.role && found.role !== 'nobody') {
      environments.value = (
        await call<{ environments: string[] }>('/api/environments')
      ).environments;
      trouble.value = undefined;
    }
    me.value = found;
  } catch (error) {
    showError(error);
  }
}

export async function leave(): Promise<void> {
  try {
    await call('/api/logout', { body: {} });
    location.assign('/?signed-out');
  } catch (error) {
    showError(error);
  }
}

function showError(error: unknown): void {
  trouble.value = error instanceof CallError ? error.message : String(error);
}
