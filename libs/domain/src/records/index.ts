export {
  countMatching,
  findMatchingPage,
  type MatchingPage,
  type MatchingUsers,
} from './count-matching.js';
export * from './delete-group.js';
export * from './delete-user.js';
export * from './export-user.js';
export * from './find-users.js';
export { type GroupView, listGroups, loadGroup, loadMembers } from './groups.js';
export { listUsers, type NamedUser, type UserListPage, withNames } from './list-users.js';
export { type UserFilter } from './load-user-pages.js';
export * from './load-user.js';
