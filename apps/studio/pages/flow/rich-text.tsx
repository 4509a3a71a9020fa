import type { ComponentChildren } from 'preact';

/** A rich text node as flow files store it. */
type Node = Readonly<Record<string, unknown>>;

/** Few tags by name: the type of all there are takes the compiler minutes. */
const ELEMENTS: Readonly<Record<string, 'h3' | 'p' | 'ul' | 'ol' | 'li'>> = {
  'heading-one': 'h3',
  'heading-two': 'h3',
  'heading-three': 'h3',
  paragraph: 'p',
  'bulleted-list': 'ul',
  'numbered-list': 'ol',
  'list-item': 'li',
};

/**
 * Rich text as a user reads it. Pictures and films are named only: this page loads nothing from
 * elsewhere.
 */
export function RichText({ nodes }: { nodes: unknown }) {
  return <div class="rich">{childrenOf(nodes)}</div>;
}

function childrenOf(nodes: unknown): ComponentChildren {
  return Array.isArray(nodes)
    ? nodes.map((node: Node, index) => <NodeView key={index} node={node} />)
    : null;
}

function NodeView({ node }: { node: Node }) {
  if (typeof node['text'] === 'string') return <Marked node={node} text={node['text']} />;
  const type = String(node['type']);
  if (type === 'link')
    return <Target url={String(node['url'])}>{childrenOf(node['children'])}</Target>;
  if (type === 'image' || type === 'video')
    return (
      <span class="chip">
        {type}: {String(node['altText'] ?? node['url'])}
      </span>
    );
  const Element = ELEMENTS[type] ?? 'p';
  return <Element>{childrenOf(node['children'])}</Element>;
}

/** Only what a browser goes to is a link. */
function Target({ url, children }: { url: string; children: ComponentChildren }) {
  if (!/^(https?:|mailto:)/i.test(url)) return <u title={url}>{children}</u>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function Marked({ node, text }: { node: Node; text: string }) {
  let marked: ComponentChildren = text;
  if (node['code']) marked = <code>{marked}</code>;
  if (node['bold']) marked = <b>{marked}</b>;
  if (node['italic']) marked = <i>{marked}</i>;
  if (node['underline']) marked = <u>{marked}</u>;
  return <>{marked}</>;
}
