/** Marks of a text node (F2). */
export const MARKS = ['bold', 'italic', 'underline', 'code'] as const;
export type Mark = (typeof MARKS)[number];

export type RichTextNode = RichTextText | RichTextElement;
export type RichTextText = { text: string } & { [mark in Mark]?: boolean };
export type RichTextElement = { type: ElementType; children: RichTextNode[] } & {
  [key in ElementKey]?: string;
};
export type ElementKey = 'url' | 'width' | 'height' | 'altText' | 'align';

export const ALIGNMENTS: readonly string[] = ['left', 'center', 'right', 'justify'];

/** Further keys of each element, as the SDK's own types define them (F2). */
export const ELEMENTS = {
  'heading-one': ['align'],
  'heading-two': ['align'],
  'heading-three': ['align'],
  paragraph: ['align'],
  'bulleted-list': ['align'],
  'numbered-list': ['align'],
  'list-item': [],
  link: ['url', 'align'],
  image: ['url', 'width', 'height', 'altText', 'align'],
  video: ['url', 'width', 'height', 'align'],
} as const satisfies Record<string, readonly ElementKey[]>;
export type ElementType = keyof typeof ELEMENTS;
export const ELEMENT_TYPES = Object.keys(ELEMENTS) as ElementType[];

/** Elements nest at most this deep, so that no client has to walk deeper. */
export const MAX_ELEMENT_LEVELS = 32;
