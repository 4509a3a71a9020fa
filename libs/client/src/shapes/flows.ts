/**
 * Written by hand nowhere: `waymark types` declares what each flow has (C6). Without it all names
 * are strings.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Flows {}

/** What a declaration says of a block. */
export interface BlockShape {
  type: string;
  transitions: string;
  fields: object;
  /** Names of the items of a container. */
  items?: string;
}

type Declared = keyof Flows extends never ? false : true;
type BlocksOf<Flow> = Flow extends keyof Flows ? Flows[Flow] : never;

/** The name of a flow. */
export type FlowName = Declared extends true ? keyof Flows & string : string;
/**
 * A flow in a version: `onboarding`, `onboarding@3`, `onboarding@latest`; without a version it is
 * `latest`.
 */
export type FlowReference = FlowName | `${FlowName}@${number | 'latest' | 'uncommitted'}`;
/** `<flow>.<block>`, items too. */
export type BlockName = Declared extends true
  ? { [Flow in keyof Flows & string]: `${Flow}.${keyof Flows[Flow] & string}` }[keyof Flows &
      string]
  : string;

/** How a name is requested: a misspelt one is a type error at that place. */
export type OneOf<Names extends string, Name extends string> = Name extends Names ? Name : Names;

/** What is declared of a block; of an undeclared one, anything. */
export type ShapeOf<Name extends string> = Declared extends true
  ? Name extends `${infer Flow}.${infer Block}`
    ? Block extends keyof BlocksOf<Flow>
      ? BlocksOf<Flow>[Block]
      : never
    : never
  : AnyShape;
interface AnyShape {
  type: string;
  transitions: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  fields: Record<string, any>;
  items: string;
}
/** The names of the blocks of a flow. */
export type BlocksIn<Flow extends string> = Declared extends true
  ? `${Flow}.${keyof BlocksOf<Flow> & string}`
  : string;
