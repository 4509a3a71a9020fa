declare module '*.css';
declare module '*.svg' {
  /** Where the picture is served. */
  const address: string;
  export default address;
}
