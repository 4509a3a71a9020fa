import { createWaymark } from '@waymark/client';

declare const __BLOCKS_URL__: string;
declare const __BLOCKS_KEY__: string;

export const user = new URLSearchParams(location.search).get('user') ?? 'ada';
export const waymark = createWaymark({ url: __BLOCKS_URL__, key: __BLOCKS_KEY__, user, flows: ['onboarding'] });
