import { createPrivateKey, sign } from 'node:crypto';
import { createSigner, setVerification } from '@waymark/domain/access';
import { readPlain } from './flow-service.mjs';

const AUTHOR = { by: 'bench' };

/** Has the service require a user token in every request, and makes one for each user. */
export async function requireTokens({ dataSource, service, headers }, users) {
  const { privateKey } = await createSigner(
    dataSource,
    { environment: 'development', name: 'bench' },
    AUTHOR,
  );
  await setVerification(dataSource, 'development', 'required', AUTHOR);
  const url = `${service.url}${readPlain('loop').path.replace('USER', 'user-0')}`;
  while ((await fetch(url, { headers })).status !== 401)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const key = createPrivateKey(privateKey);
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  return Array.from({ length: users }, (_, index) =>
    mint(key, { sub: `user-${index}`, aud: 'development', exp }),
  );
}

function mint(key, claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'EdDSA', kid: 'bench' })}.${part(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}
