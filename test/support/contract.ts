import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Handler = { handle: (request: Request) => Promise<Response> };
type Answer = { status: number; text: string; body: unknown; headers: Headers };
type Document = { paths: Record<string, Record<string, any>>; components: any };

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats(ajv);
const documents = new WeakMap<Handler, Promise<Document>>();
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Routes that are not in the document: the viewer, the document itself, the pages for people. */
const OUTSIDE = /^\/(docs|openapi\.json|pages\/|accept-invitation$|sign-up$|reset-password$)/;

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
  if (!operation && [404, 405].includes(answer.status)) return;
  const where = `${method} ${path} → ${answer.status}`;
  if (!response) throw new Error(`${where} is not declared: ${answer.text.slice(0, 300)}`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema || answer.body === undefined) return;
  const id = `${method} ${path.replaceAll(/[a-z]+_[0-9a-z]{26}/g, ':id')} ${answer.status}`;
  const check = compiled.get(id) ?? ajv.compile({ ...schema, components: document.components });
  compiled.set(id, check);
  if (!check(answer.body)) {
    throw new Error(`${where} does not fit the document: ${ajv.errorsText(check.errors)}`);
  }
}
