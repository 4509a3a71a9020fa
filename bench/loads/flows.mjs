/** Requests of users in turn, each with its user in the path; all have the same `method` and `headers`. */
export function createRequests({ method, path, users, headers = {} }) {
  let turn = Math.floor(Math.random() * users);
  return () => {
    turn = (turn + 7919) % users;
    return { method, path: path.replace('USER', `user-${turn}`), headers };
  };
}
