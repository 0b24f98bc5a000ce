import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { registeredRoutes } from '../../src/app/routes.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { ARRIVAL_PATHS, CONSOLE_PAGES } from '../../src/shared/console-pages.ts';
import { sharedResponse } from './openapi.ts';

type Answer = { status: number; text: string; body: unknown; headers: Headers };
type Document = { paths: Record<string, Record<string, any>>; components: any };
type Route = { template: string; pattern: RegExp; operations: Record<string, any> };

// The document itself is held against the rules of OpenAPI by `test/contract/openapi.test.ts`.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
});
addFormats(ajv);
ajv.addKeyword({ keyword: 'x-const', validate: (said: boolean, value: unknown) => value === said });
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

const CONSOLE_PATHS = [...CONSOLE_PAGES.map(({ path }) => path), ...ARRIVAL_PATHS]
  .filter((path) => !path.includes(':'))
  .map((path) => `${path.slice(1)}$`);

/** Not in the document: the viewer, the document itself, what browsers load, what speaks protocols of others. */
export const OUTSIDE = new RegExp(
  `^/(docs|help|client\\.js$|clients/|openapi\\.json|console/|apps/|o/|v1/mcp$|v1/lake/|${CONSOLE_PATHS.join('|')})`,
);

const DOCUMENT = 'document';

function toPattern(template: string): RegExp {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}

const NOBODY = { isReady: () => true, isHeld: () => false, stop: () => undefined };

/** Of the document as it is sent, which is the same for every application. */
function readRoutes(): Route[] {
  const document: Document = JSON.parse(JSON.stringify(openApiDocument(registeredRoutes(NOBODY))));
  ajv.addSchema(document, DOCUMENT);
  components = document.components;
  return (
    Object.entries(document.paths)
      .map(([template, operations]) => ({ template, pattern: toPattern(template), operations }))
      // A literal segment wins over a parameter, as in the router.
      .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)
  );
}

let routes: Route[] | undefined;
let components: Document['components'];

const escaped = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Checks a body by the schema that stands at this place of the document. */
function checkOf(...place: string[]) {
  const $ref = `${DOCUMENT}#/${place.map(escaped).join('/')}`;
  const check = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, check);
  return check;
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
export function checkAgainstContract(method: string, fullPath: string, answer: Answer): void {
  const path = (fullPath.split('?')[0] ?? fullPath).replace(/(.)\/$/, '$1');
  if (OUTSIDE.test(path) || method === 'OPTIONS') return;
  routes ??= readRoutes();
  const route = routes.find(({ pattern }) => pattern.test(path));
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = route?.operations[verb];
  const declared = operation?.responses?.[String(answer.status)];
  const shared = sharedResponse(declared);
  const response = shared ? components?.responses[shared] : declared;
  if (!operation && [404, 405, 429].includes(answer.status)) return;
  const where = `${method} ${path} → ${answer.status}`;
  if (!response) throw new Error(`${where} is not declared: ${answer.text.slice(0, 300)}`);
  checkHeaders(where, response, answer);
  if (method === 'HEAD') return;
  const isJson = response.content?.['application/json']?.schema !== undefined;
  if (!route || !isJson || answer.body === undefined) return;
  const place = shared
    ? ['components', 'responses', shared]
    : ['paths', route.template, verb, 'responses', String(answer.status)];
  const check = checkOf(...place, 'content', 'application/json', 'schema');
  if (!check(answer.body)) {
    throw new Error(`${where} does not fit the document: ${ajv.errorsText(check.errors)}`);
  }
  const codes: string[] | undefined = response['x-codes'];
  const { code } = Object(Object(answer.body).error);
  if (codes && !codes.includes(code)) throw new Error(`${where} has ${code}, not one of ${codes}.`);
}
