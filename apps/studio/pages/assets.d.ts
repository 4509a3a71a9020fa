declare module '*.css';
declare module '*.yaml' {
  /** The file itself. */
  const text: string;
  export default text;
}
declare module '*.svg' {
  /** Where the picture is served. */
  const address: string;
  export default address;
}
