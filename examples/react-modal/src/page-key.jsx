import { useEffect, useState } from 'react';

/**
 * The key of this page. Where the backend mints user tokens (docs/identity.md), the user's token stands behind it and is
 * renewed before it expires: the SDK takes the new key as it comes. Until the first token is there, there is no key.
 */
export function usePageKey(user) {
  const [apiKey, setApiKey] = useState(__TOKEN_URL__ ? undefined : __BLOCKS_KEY__);
  useEffect(() => {
    if (!__TOKEN_URL__) return undefined;
    let timer;
    const renew = async () => {
      // A real backend knows who has signed in, and takes nobody's word for it.
      const response = await fetch(`${__TOKEN_URL__}?user=${encodeURIComponent(user)}`);
      const { token, renewInSeconds } = await response.json();
      setApiKey(`${__BLOCKS_KEY__}.${token}`);
      timer = setTimeout(renew, renewInSeconds * 1_000);
    };
    void renew();
    return () => clearTimeout(timer);
  }, [user]);
  return apiKey;
}
