import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h2{font:600 1rem ui-monospace,monospace;margin:2rem 0 .25rem}table{border-collapse:collapse}td,th{text-align:left;
padding:.1rem 1.5rem .1rem 0;vertical-align:top}code{background:#f3f3f3;padding:0 .2rem}`;

/** One plain page with every operation: no script and nothing from elsewhere, so it works offline. */
export function renderDocument(document: OpenAPIObject): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => (item[method] ? [renderOperation(method, path, item[method])] : [])),
  );
  const { title, description } = document.info;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${STYLE}</style><h1>${escape(title)}</h1><p>${escape(description ?? '')}</p>
<p>The same for machines, with all schemas: <a href="/docs/json">/docs/json</a> (OpenAPI ${escape(document.openapi)}).</p>
${operations.join('\n')}</html>`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const key = Object.keys(operation.security?.[0] ?? {})[0];
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  return `<h2>${method.toUpperCase()} ${escape(path)}</h2><p>${escape(operation.summary ?? operation.description ?? '')}
${key ? `<br>Needs a <code>${escape(key)}</code> in <code>x-api-key</code>.` : ''}</p>
${table(parameters.map(({ name, in: place, required, description }) => [name, `${place}${required ? '' : ', optional'}`, description ?? '']))}
${table(Object.entries(operation.responses).map(([status, answer]) => [status, '', 'description' in answer! ? answer.description : '']))}`;
}

const table = (rows: string[][]): string =>
  rows.length === 0
    ? ''
    : `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`).join('')}</table>`;
