/** A number as people read it: `1,204`. */
export const inWords = (number: number): string => number.toLocaleString('en-US');

/** A share from 0 to 1 as `12 %`, with so many digits behind the point. */
export const inPercent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`;

/** `1 user`, `1,204 users`. */
export const countUsers = (count: number): string => `${inWords(count)} ${count === 1 ? 'user' : 'users'}`;
