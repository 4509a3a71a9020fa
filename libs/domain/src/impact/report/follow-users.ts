import type { DataSource } from 'typeorm';
import { Course } from './course.js';
import { loadTimedEvents, type ReportScope } from './load-reported.js';

/** Users whose events are in memory at once. */
const AT_ONCE = 200;

/** Goes through the events of each user, and hands over how they went. Users without events, pruned ones say, count too. */
export async function followUsers(
  dataSource: DataSource,
  scope: ReportScope,
  userIds: readonly string[],
  onCourse: (course: Course) => void,
): Promise<void> {
  for (let first = 0; first < userIds.length; first += AT_ONCE) {
    const some = userIds.slice(first, first + AT_ONCE);
    const courses = new Map(some.map((userId) => [userId, new Course()]));
    for (const { userId, at, event } of await loadTimedEvents(dataSource, scope, some)) courses.get(userId)?.add(at, event);
    for (const course of courses.values()) onCourse(course);
  }
}
