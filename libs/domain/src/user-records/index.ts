export * from './delete-group.js';
export * from './delete-user.js';
export * from './export-user.js';
export * from './find-users.js';
export { type GroupView, type ListedGroup, listGroups, loadGroup, loadMembers, type Member } from './groups.js';
export * from './list-users.js';
export * from './load-user.js';
