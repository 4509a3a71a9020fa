// What a backend does for a page whose users are verified: it tells the page who has signed in, by
// a user token.
//   npx waymark signer create web > web-private-key.pem     once, at the root of the project
//   node examples/react-modal/backend.mjs web-private-key.pem
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { ENVIRONMENT = 'development', PORT = '7080', TOKEN_SECONDS = '900' } = process.env;
const privateKey = createPrivateKey(readFileSync(process.argv[2] ?? 'web-private-key.pem'));
const seconds = Number(TOKEN_SECONDS);
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function mintUserToken(user) {
  const claims = { sub: user, aud: ENVIRONMENT, exp: Math.floor(Date.now() / 1_000) + seconds };
  const text = `${part({ alg: 'EdDSA', kid: 'web' })}.${part(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

createServer((request, response) => {
  // An example: whoever asks is believed. Yours reads the user from the session and from nowhere
  // else.
  const user = new URL(request.url, 'http://backend').searchParams.get('user') ?? 'ada';
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
  });
  response.end(
    JSON.stringify({
      token: mintUserToken(user),
      renewInSeconds: Math.max(1, Math.floor(seconds * 0.8)),
    }),
  );
}).listen(Number(PORT), '127.0.0.1', function () {
  console.log(`user tokens at http://127.0.0.1:${this.address().port}/`);
});
