import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './call.js';

interface Operation {
  responses: Record<string, { content?: Record<string, object> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

const contracts = new Map<string, Promise<Contract>>();

/**
 * Throws unless the answer is one that `/docs/json` of its service describes: route, status, body
 * (or its absence).
 */
export async function expectDocumented(answer: Answer): Promise<void> {
  const { origin } = new URL(answer.url);
  const contract = contracts.get(origin) ?? loadContract(origin);
  contracts.set(origin, contract);
  (await contract).check(answer);
}

async function loadContract(origin: string): Promise<Contract> {
  const response = await fetch(`${origin}/docs/json`);
  return new Contract((await response.json()) as OpenApi);
}

class Contract {
  private readonly ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));

  constructor(private readonly document: OpenApi) {
    this.ajv.addSchema(document, 'contract');
  }

  check(answer: Answer): void {
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const path = this.findPath(new URL(answer.url).pathname, method);
    const what = `${answer.method} ${path} ${answer.status}`;
    const { responses } = this.document.paths[path]![method]!;
    const status = [String(answer.status), ...(answer.status >= 400 ? ['default'] : [])].find(
      (code) => responses[code],
    );
    if (status === undefined) throw new Error(`${what} is not documented`);
    const { content } = responses[status]!;
    const hasBody = content !== undefined && answer.method !== 'HEAD';
    if (hasBody !== answer.text.length > 0)
      throw new Error(`${what} ${hasBody ? 'has to have a' : 'must not have a'} body`);
    const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (hasBody && !content[type])
      throw new Error(`${what} has to be ${Object.keys(content).join(' or ')}, not ${type}`);
    if (hasBody && type === 'application/json')
      this.checkBody(what, answer.body, ['paths', path, method, 'responses', status]);
  }

  /** The literal path first: `/identify/batch` is not `/identify/{identifier}`. */
  private findPath(pathname: string, method: string): string {
    const paths = Object.keys(this.document.paths).filter(
      (path) => this.document.paths[path]![method],
    );
    const found =
      paths.find((path) => path === pathname) ??
      paths.find((path) => patternOf(path).test(pathname));
    if (found === undefined)
      throw new Error(`${method.toUpperCase()} ${pathname} is not documented`);
    return found;
  }

  private checkBody(what: string, body: unknown, place: string[]): void {
    const pointer = [...place, 'content', 'application/json', 'schema'].map(toPointer).join('/');
    const validate = this.ajv.getSchema(`contract#/${pointer}`);
    if (!validate) throw new Error(`the body of ${what} is not documented`);
    if (!validate(body))
      throw new Error(`${what} is not as documented: ${this.ajv.errorsText(validate.errors)}`);
  }
}

const toPointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
