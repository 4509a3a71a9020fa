/** Requests of users in turn, each with the path of its own; `method` and `headers` are those of all. */
export function createRequests({ method, path, users, headers = {} }) {
  let turn = Math.floor(Math.random() * users);
  return () => {
    turn = (turn + 7919) % users;
    return { method, path: path.replace('USER', `user-${turn}`), headers };
  };
}
