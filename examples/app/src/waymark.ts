import { createWaymark } from '@waymark/client';

declare const __BLOCKS_URL__: string;
declare const __BLOCKS_KEY__: string;

const asked = new URLSearchParams(location.search);
export const user = asked.get('user') ?? 'ada';
/** Any other flow. */
export const another = asked.get('flow');
const flows = ['onboarding', another].filter((name) => name !== null) as 'onboarding'[];
export const waymark = createWaymark({ url: __BLOCKS_URL__, key: __BLOCKS_KEY__, user, flows });
