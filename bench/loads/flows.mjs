/**
 * Requests of users in turn, each with its user in the path; all have the same `method` and
 * `headers`, and those of `each` in turn.
 */
export function createRequests({ method, path, users, headers = {}, each = [{}] }) {
  let turn = Math.floor(Math.random() * users);
  return () => {
    turn = (turn + 7919) % users;
    const own = each[turn % each.length];
    return { method, path: path.replace('USER', `user-${turn}`), headers: { ...headers, ...own } };
  };
}
