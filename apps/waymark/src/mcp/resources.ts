import {
  type McpServer,
  type ReadResourceTemplateCallback,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Document, Line } from './tools/index.js';

/** `docs/flows.md`, written into the bundle by `tools/bundle.mjs`, as no image holds it. */
declare const WAYMARK_FLOW_DOCS: string | undefined;
const FLOW_DOCS: string = typeof WAYMARK_FLOW_DOCS === 'undefined' ? '' : WAYMARK_FLOW_DOCS;

type RunLine = (line: Line, signal: AbortSignal) => Promise<Document>;

const SCHEMA = { title: 'JSON Schema of flow files', mimeType: 'application/schema+json' };
const DOCS = { title: 'How flow files are written', mimeType: 'text/markdown' };
const TEXT = { title: 'The text of a flow’s draft', mimeType: 'application/yaml' };
const PICTURE = { title: 'A flow as a picture', mimeType: 'image/svg+xml' };

/** What agents read as files: how flows are written, and each flow's draft and picture (M3). */
export function addResources(server: McpServer, run: RunLine): void {
  server.registerResource('flow-schema', 'waymark://schema/flow', SCHEMA, async ({ href }) => {
    const { flowFileSchema } = await import('@waymark/domain/flow-files');
    return contents(href, SCHEMA.mimeType, JSON.stringify(flowFileSchema(), null, 2));
  });
  server.registerResource('flow-docs', 'waymark://docs/flows', DOCS, ({ href }) =>
    contents(href, DOCS.mimeType, FLOW_DOCS),
  );
  addFlowResource(server, run, {
    name: 'flow',
    path: '',
    command: 'flow export',
    member: 'file',
    ...TEXT,
  });
  addFlowResource(server, run, {
    name: 'flow-picture',
    path: '/picture',
    command: 'flow graph',
    member: 'graph',
    ...PICTURE,
  });
}

interface FlowResource {
  readonly name: string;
  readonly path: string;
  readonly command: string;
  /** Of the document of the command. */
  readonly member: string;
  readonly title: string;
  readonly mimeType: string;
}

function addFlowResource(server: McpServer, run: RunLine, about: FlowResource): void {
  const { name, path, command, member, title, mimeType } = about;
  const uriOf = (flow: string): string => `waymark://flows/${flow}${path}`;
  const list = async ({ signal }: { signal: AbortSignal }) => {
    const { flows } = (await run({ command: 'flow list' }, signal)) as {
      flows: readonly { flow: string; archived: boolean }[];
    };
    const present = flows.filter(({ archived }) => !archived);
    return {
      resources: present.map(({ flow }) => ({ uri: uriOf(flow), name: flow, mimeType, title })),
    };
  };
  const read: ReadResourceTemplateCallback = async ({ href }, { flow }, { signal }) => {
    const document = await run({ command, operands: [decodeURIComponent(String(flow))] }, signal);
    return contents(href, mimeType, String(document[member]));
  };
  server.registerResource(
    name,
    new ResourceTemplate(uriOf('{flow}'), { list }),
    { title, mimeType },
    read,
  );
}

const contents = (uri: string, mimeType: string, text: string) => ({
  contents: [{ uri, mimeType, text }],
});
