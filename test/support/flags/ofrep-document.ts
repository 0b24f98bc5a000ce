import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const text = await Bun.file(new URL('../../fixtures/ofrep/openapi.yaml', import.meta.url)).text();
const document: any = Bun.YAML.parse(text);

// Each schema of a value is a special case of the one without any, so that as it stands no answer
// with a value is "one of" them; whole numbers are numbers too.
const values = document.components.schemas.evaluationSuccess.allOf[1];
document.components.schemas.evaluationSuccess.allOf[1] = { anyOf: values.oneOf };

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats(ajv);
ajv.addFormat('float', true);
ajv.addSchema(document, 'ofrep');

const PATHS = {
  one: '/ofrep/v1/evaluate/flags/{key}',
  all: '/ofrep/v1/evaluate/flags',
} as const;

/** Holds an answer against the protocol's own document. */
export function expectAsOfrep(
  path: keyof typeof PATHS,
  { status, body }: { status: number; body: unknown },
): void {
  const answer = document.paths[PATHS[path]].post.responses[String(status)];
  if (!answer) throw new Error(`OFREP has no ${status}.`);
  const reference = answer.content?.['application/json']?.schema?.$ref;
  if (!reference) return;
  const validate = ajv.compile({ $ref: `ofrep${reference}` });
  if (!validate(body)) {
    throw new Error(`${ajv.errorsText(validate.errors)}: ${JSON.stringify(body).slice(0, 500)}`);
  }
}
