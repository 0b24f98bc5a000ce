import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ARRIVAL_PATHS, CONSOLE_PAGES } from '../../src/shared/console-pages.ts';

type Handler = { handle: (request: Request) => Promise<Response> };
type Answer = { status: number; text: string; body: unknown; headers: Headers };
type Document = { paths: Record<string, Record<string, any>>; components: any };

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats(ajv);
const documents = new WeakMap<Handler, Promise<Document>>();
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

const CONSOLE_PATHS = [...CONSOLE_PAGES.map(({ path }) => path), ...ARRIVAL_PATHS]
  .filter((path) => !path.includes(':'))
  .map((path) => `${path.slice(1)}$`);

/** Not in the document: the viewer, the document itself, what browsers load, what speaks protocols of others. */
export const OUTSIDE = new RegExp(
  `^/(docs|help|client\\.js$|clients/|openapi\\.json|console/|apps/|o/|v1/mcp$|v1/lake/|${CONSOLE_PATHS.join('|')})`,
);

function documentOf(app: Handler): Promise<Document> {
  const known = documents.get(app);
  if (known) return known;
  const asked = app
    .handle(new Request('http://localhost/openapi.json'))
    .then((answer) => answer.json() as Promise<Document>);
  documents.set(app, asked);
  return asked;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}

function responseOf(document: Document, method: string, path: string, status: number) {
  const found = Object.entries(document.paths)
    .filter(([template]) => matches(template, path))
    // A literal segment wins over a parameter, as in the router.
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)[0];
  const operation = found?.[1][method.toLowerCase()];
  return { operation, response: operation?.responses?.[String(status)] };
}

/** Said by HTTP, by browsers' rules or by our own habit, so the document need not name them. */
const COMMON_HEADERS = new Set(
  `cache-control content-type content-length location vary allow set-cookie
  x-content-type-options referrer-policy content-security-policy strict-transport-security access-control-allow-origin
  access-control-allow-credentials access-control-expose-headers`.split(/\s+/),
);

function checkHeaders(where: string, response: any, { headers, text, status }: Answer): void {
  const declared = new Set(Object.keys(response.headers ?? {}));
  for (const name of headers.keys()) {
    if (COMMON_HEADERS.has(name) || declared.has(name)) continue;
    throw new Error(`${where} has the header ${name}, which is not declared.`);
  }
  if (status === 429 && !headers.has('retry-after')) throw new Error(`${where}: no Retry-After.`);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const types = Object.keys(response.content ?? {});
  if (text !== '' && !types.includes(type)) {
    throw new Error(
      `${where} is ${type || 'of no type'}, declared is ${types.join(', ') || 'none'}.`,
    );
  }
}

/** Fails when an answer has a status or a body that the OpenAPI document does not declare. */
export async function checkAgainstContract(
  app: Handler,
  method: string,
  fullPath: string,
  answer: Answer,
): Promise<void> {
  const path = (fullPath.split('?')[0] ?? fullPath).replace(/(.)\/$/, '$1');
  if (OUTSIDE.test(path) || method === 'OPTIONS') return;
  const document = await documentOf(app);
  const { operation, response } = responseOf(
    document,
    method === 'HEAD' ? 'GET' : method,
    path,
    answer.status,
  );
  if (!operation && [404, 405, 429].includes(answer.status)) return;
  const where = `${method} ${path} → ${answer.status}`;
  if (!response) throw new Error(`${where} is not declared: ${answer.text.slice(0, 300)}`);
  checkHeaders(where, response, answer);
  if (method === 'HEAD') return;
  const schema = response.content?.['application/json']?.schema;
  if (!schema || answer.body === undefined) return;
  const id = `${method} ${path.replaceAll(/[a-z]+_[0-9a-z]{26}/g, ':id')} ${answer.status}`;
  const check = compiled.get(id) ?? ajv.compile({ ...schema, components: document.components });
  compiled.set(id, check);
  if (!check(answer.body)) {
    throw new Error(`${where} does not fit the document: ${ajv.errorsText(check.errors)}`);
  }
}
