/** What is used of jstat, which brings no types. */
declare module 'jstat' {
  const all: {
    readonly chisquare: { cdf(x: number, degrees: number): number };
    readonly normal: { inv(p: number, mean: number, deviation: number): number };
  };
  export default all;
}
