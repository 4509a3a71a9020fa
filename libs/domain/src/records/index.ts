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
export {
  type GroupView,
  type ListedGroup,
  listGroups,
  loadGroup,
  loadMembers,
  type Member,
} from './groups.js';
export {
  listUsers,
  type ListedUser,
  type NamedUser,
  type UserListPage,
  withNames,
} from './list-users.js';
export { type FindOptions, type UserFilter } from './load-user-pages.js';
export * from './load-user.js';
