const KEPT = 8;

/**
 * Users that this browser has looked at in an environment, the latest first. Kept here and nowhere
 * else.
 */
export function lastLookedAt(environment: string): string[] {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(environment)) ?? '[]') as unknown;
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function noteLookedAt(environment: string, user: string): void {
  const rest = lastLookedAt(environment).filter((one) => one !== user);
  store(environment, [user, ...rest].slice(0, KEPT));
}

/** For users who are deleted: nothing of them stays, here neither. */
export function forget(environment: string, user: string): void {
  store(
    environment,
    lastLookedAt(environment).filter((one) => one !== user),
  );
}

function store(environment: string, users: string[]): void {
  try {
    localStorage.setItem(keyOf(environment), JSON.stringify(users));
  } catch {
    // A browser that keeps nothing shows nothing here.
  }
}

const keyOf = (environment: string): string => `waymark:users:${environment}`;
