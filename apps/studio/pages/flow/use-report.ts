import { useRef, useState } from 'preact/hooks';
import type { SplitReport } from '@waymark/domain/analysis';
import type { ReportShown, UsersAtBlock } from '../../src/flows/flow-views.js';
import { path } from '../api/call.js';
import { CachedPicture } from '../api/cached-picture.js';
import { stream } from '../api/stream.js';
import { folded, useRedraw } from '../controls/folded.js';
import { type Loaded, useAgain, useLoaded } from '../controls/loaded.js';
import { sinceTime } from './since.js';

export interface CountedSoFar {
  users: number;
  /** From 0 to 1. */
  done: number;
}

/** Something that is counted page by page, and its progress. */
type Counted<Value> = Loaded<Value> & { sofar: CountedSoFar | undefined };

/** Whose numbers are requested. */
export interface Scope {
  environment: string;
  flow: string;
  version: number;
  /** As the address has it; empty for everybody. */
  since: string;
  /** Only users who are in it; empty for everybody. */
  segment: string;
}

const FOLLOW_MS = 5_000;

/** Where the users of a version are, also when they have walked on; undefined requests nothing. */
export function useReport(scope: Scope | undefined): Counted<ReportShown> {
  const picture = useRef(new CachedPicture());
  const counted = useCounted('report', scope, {}, async (load) => {
    const asked = { ...picture.current.had, ...(folded.value && { folded: folded.value }) };
    return picture.current.complete(await load<ReportShown>(asked));
  });
  useAgain(counted, FOLLOW_MS);
  useRedraw(counted.reload);
  return counted;
}

/** Which users of a version are listed: those in a block, or those who met or missed the goal. */
export type UserSelection = { block: string } | { goal: 'met' | 'missed' };

/** These users, even after they have moved on, and one more page of them on request. */
export function useUsersAt(
  scope: Scope,
  whom: UserSelection,
): Counted<UsersAtBlock> & { isGrowing: boolean; showMore(): void } {
  const [pages, setPages] = useState({ wanted: 1, shown: 1 });
  const counted = useCounted('users', scope, whom, async (load) => {
    const { wanted } = pages;
    let there = await load<UsersAtBlock>({});
    for (let page = 1; page < wanted && there.next !== undefined; page++) {
      const { users, ...more } = await load<UsersAtBlock>({ after: there.next });
      there = { ...more, users: [...there.users, ...users] };
    }
    setPages((now) => ({ ...now, shown: wanted }));
    return there;
  });
  useAgain(counted, FOLLOW_MS);
  const showMore = (): void => {
    setPages({ ...pages, wanted: pages.wanted + 1 });
    counted.reload();
  };
  return { ...counted, isGrowing: pages.wanted > pages.shown, showMore };
}

/** The results of a split, by the way that users were sent. */
export function useSplit(
  scope: Scope,
  asked: { split: string; goalPath?: string },
): Counted<SplitReport> {
  const counted = useCounted('split', scope, asked, (load) => load<SplitReport>({}));
  useAgain(counted, FOLLOW_MS);
  return counted;
}

type Load = <Value>(more: Record<string, string>) => Promise<Value>;

/** What a route of a flow counts among the users of a version. */
function useCounted<Value>(
  route: 'report' | 'users' | 'split',
  scope: Scope | undefined,
  more: Record<string, string>,
  ask: (load: Load) => Promise<Value>,
): Counted<Value> {
  const [sofar, setSofar] = useState<CountedSoFar>();
  const key = scope && [route, ...Object.values(scope), ...Object.values(more)].join(' ');
  const counted = useLoaded(key, async (signal) => {
    setSofar(undefined);
    const { environment, flow, version, since, segment } = scope!;
    const time = sinceTime(since);
    return ask((extra) => {
      const asked = new URLSearchParams({
        version: String(version),
        ...(time && { since: time }),
        ...(segment && { segment }),
        ...more,
        ...extra,
      });
      const address = `${path`/api/${environment}/flows/${flow}/`}${route}?${asked.toString()}`;
      return stream(address, { signal, onProgress: setSofar });
    });
  });
  return { ...counted, sofar };
}
