/** Like `flows.mjs`, with a key for each user that has their token behind it. */
export function createRequests({ method, path, keys, headers = {} }) {
  let turn = Math.floor(Math.random() * keys.length);
  return () => {
    turn = (turn + 7919) % keys.length;
    return {
      method,
      path: path.replace('USER', `user-${turn}`),
      headers: { ...headers, 'x-api-key': keys[turn] },
    };
  };
}
