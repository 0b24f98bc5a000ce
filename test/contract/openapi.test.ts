import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from '@sinclair/typebox';
import Ajv2020 from 'ajv/dist/2020';
import { DocumentSchemas } from '../../src/http/openapi-schema.ts';
import { ERROR_STATUS } from '../../src/shared/errors.ts';
import { ACCESS } from '../support/access/table.ts';
import { OUTSIDE } from '../support/contract.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { readSources } from '../support/sources.ts';

const service = await startTestService(await testDatabase());
const answer = await service.call('/openapi.json');
const document = answer.body;

const operations = operationsOf(document);
const titled = operations.map((operation): [string, Operation] => [operation.route, operation]);

/** A sentence of a route's own, without the one that says who may call it. */
const ownDescription = ({ description }: Operation) =>
  String(description).split('\n\n').slice(0, -1);

/** What is an object, or a list or null beside one, and stands in the answer itself. */
function unnamed(schema: any): boolean {
  if (schema.items) return unnamed(schema.items);
  if (schema.anyOf) return schema.anyOf.some(unnamed);
  return schema.type === 'object';
}

describe('the OpenAPI document', () => {
  test('passes a public validator', async () => {
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test('holds every route of the access table but the documentation itself', () => {
    const routes = Object.keys(ACCESS)
      .filter((route) => !OUTSIDE.test(route.split(' ')[1] ?? ''))
      .toSorted();
    expect(operations.map(({ route }) => route).toSorted()).toEqual(routes);
  });

  test.each(titled)('%s says what it is and how it can fail', (route, operation) => {
    expect(Object.keys(operation.responses)).toContain('500');
    // A browser is led on by 303.
    expect(Object.keys(operation.responses).some((status) => /^(2|303)/.test(status))).toBe(true);
    for (const [status, response] of Object.entries<any>(operation.responses)) {
      expect(response.description.length).toBeGreaterThan(0);
      if (Number(status) < 400 || route === 'GET /healthz') continue;
      const { schema } = response.content['application/json'];
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
      if (status === 'default') continue;
      for (const code of response['x-codes']) {
        expect(ERROR_STATUS).toHaveProperty(code, Number(status));
      }
    }
  });

  test('every code of an error has an example that fits, in words of the service', () => {
    const { examples, schemas } = document.components;
    // A path without this method has no operation that could name it.
    const codes = Object.keys(ERROR_STATUS).filter((code) => code !== 'method_not_allowed');
    expect(Object.keys(examples)).toEqual(codes.toSorted());
    const fits = new Ajv2020({ strict: false }).compile(schemas.Error);
    const sources = readSources('src/**/*.ts').filter(
      ({ path }) => !path.endsWith('openapi-errors.ts'),
    );
    // Messages with a name or place in them.
    const composed = new Set(['invalid_batch']);
    for (const [code, { value }] of Object.entries<any>(examples)) {
      expect(fits(value)).toBe(true);
      expect(value.error.code).toBe(code);
      const isSaid = sources.some(({ text }) => text.includes(`'${value.error.message}'`));
      expect([code, isSaid]).toEqual([code, !composed.has(code)]);
    }
  });

  test.each(titled)('%s has an example for each code of its errors', (route, operation) => {
    for (const [status, response] of Object.entries<any>(operation.responses)) {
      if (Number(status) < 400 || route === 'GET /healthz') continue;
      const { examples } = response.content['application/json'];
      const expected = response['x-codes'].map((code: string) => [
        code,
        { $ref: `#/components/examples/${code}` },
      ]);
      expect(Object.entries(examples)).toEqual(expected);
    }
  });

  test.each(titled)('%s has a name, a summary and a sentence of its own', (route, operation) => {
    const { operationId, summary } = operation;
    const give = `give ${route} detail: { operationId, summary, description }`;
    expect(operationId, `${give}; the id is the method of the typed client`).toMatch(
      /^[a-z]+(?:[A-Z][a-z]+)+$|^sign(?:Up|In|Out)$/,
    );
    expect(summary?.length ?? 0, give).toBeGreaterThan(3);
    expect(summary, `${give}; a summary has no full stop`).not.toMatch(/\.$/);
    const [description = ''] = ownDescription(operation);
    expect(description, `${give}; a description says what the summary does not`).toMatch(
      /.{20,}\.$/,
    );
  });

  test('an id that users choose can be sent where no URL resolves it', () => {
    const instead = operations.map((operation) => operation['x-same-as']);
    const chosen = operations.filter(({ route, parameters = [] }) =>
      parameters.some(
        ({ name, in: place, schema }: any) =>
          place === 'path' &&
          name !== 'id' &&
          !schema.enum &&
          // Made here, of characters that paths keep.
          !['appId', 'hookId', 'organizationId'].includes(name) &&
          !ACCESS[route]?.owns?.[name] &&
          // The paths of another's protocol stay as they are.
          !ACCESS[route]?.protocol,
      ),
    );
    const give = 'a route with its id in the query or body, and detail: { x-same-as }';
    expect(chosen.length).toBeGreaterThan(3);
    for (const { operationId } of chosen) expect(instead, give).toContain(operationId);
  });

  test('operation ids are unique', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(titled)('%s says the permission and the roles that it needs', (route, operation) => {
    const access = ACCESS[route];
    expect(operation['x-permission']).toBe(access?.permission);
    expect(operation['x-roles']).toEqual(access?.roles);
    for (const word of [access?.permission, ...(access?.roles ?? [])]) {
      if (word) expect(operation.description.split('\n\n').at(-1)).toContain(word);
    }
  });

  test.each(titled)('%s takes and gives objects that have a name', (route, operation) => {
    const name = 'give the schema a name: Named(title, properties) of src/shared/schema.ts';
    const body = operation.requestBody?.content['application/json'].schema;
    if (body) expect(body.$ref, `the body of ${route}: ${name}`).toBeString();
    for (const [status, response] of Object.entries<any>(operation.responses)) {
      const schema = response.content?.['application/json']?.schema;
      if (!schema || Number(status) >= 400) continue;
      expect(unnamed(schema), `${status} of ${route}: ${name}`).toBe(false);
    }
  });

  test('two different schemas cannot have one title', () => {
    const schemas = new DocumentSchemas();
    const App = Type.Object({ id: Type.String() }, { title: 'App' });
    expect(schemas.refer(Type.Array(App))).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/App' },
    });
    schemas.refer(Type.Object({ ...App.properties }, { title: 'App' }));
    expect(() => schemas.refer(Type.Partial(App))).toThrow('two different schemas'.slice(4));
    expect(schemas.all()).toHaveProperty('App.properties.id.type', 'string');
  });

  test('a field that is called title, rule or items is a field', () => {
    const schemas = new DocumentSchemas();
    const Post = Type.Object(
      { title: Type.String(), rule: Type.String(), items: Type.String() },
      { title: 'Post', examples: [{ title: 'Post', rule: 'x', items: 'y' }] },
    );
    schemas.refer(Post);
    expect(Object.keys(schemas.all().Post?.properties ?? {})).toEqual(['title', 'rule', 'items']);
    expect(schemas.all().Post?.examples).toEqual(Post.examples);
  });

  test('routes that anybody may call say that they are meant to be open', () => {
    for (const { security } of operations) expect(security).toBeArray();
  });

  test('routes that need a caller say which one', () => {
    for (const [route, access] of Object.entries(ACCESS)) {
      if (access.who.length === 0 || /\/(docs|pages|v1\/mcp)/.test(route)) continue;
      const operation = operations.find((candidate) => candidate.route === route);
      expect(operation?.security?.length ?? 0).toBeGreaterThan(0);
      expect(operation?.responses['401']).toBeDefined();
    }
  });

  test('holds what the common generators take', () => {
    const refused: string[] = [];
    const walk = (value: any, path: string): void => {
      if (typeof value !== 'object' || value === null || /\/examples?$/.test(path)) return;
      const isReference = typeof value.$ref === 'string';
      if (isReference && Object.keys(value).length > 1) refused.push(`${path}: beside $ref`);
      if (typeof value.const === 'boolean') refused.push(`${path}: a constant boolean`);
      const variants: any[] = value.anyOf ?? [];
      if (variants.length === 2 && variants.some(({ type }) => type === 'null')) {
        const [other] = variants.filter(({ type }) => type !== 'null');
        const isType = typeof other.type === 'string' && !('const' in other);
        if (isType) refused.push(`${path}: a type beside null`);
      }
      for (const [key, one] of Object.entries(value)) walk(one, `${path}/${key}`);
    };
    walk(document, '');
    expect(refused).toEqual([]);
    expect(answer.text.length).toBeLessThan(1_000_000);
    const tags = new Set(operations.flatMap(({ tags: own }) => own as string[]));
    expect(document.tags.map(({ name }: any) => name).toSorted()).toEqual([...tags].toSorted());
  });

  test('integers are integers, and JSON is the only media type of errors and bodies', () => {
    expect(answer.text).not.toContain('multipart/form-data');
    expect(answer.text).not.toContain('"format":"integer"');
    expect(answer.text).not.toContain('"format":"numeric"');
    expect(answer.text).not.toContain('text-1-80');
  });
});
