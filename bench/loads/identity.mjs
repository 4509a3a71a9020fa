/** As `flows.mjs`, with the token of each user behind the key. */
export function createRequests({ method, path, keys }) {
  let turn = Math.floor(Math.random() * keys.length);
  return () => {
    turn = (turn + 7919) % keys.length;
    return { method, path: path.replace('USER', `user-${turn}`), headers: { 'x-api-key': keys[turn] } };
  };
}
