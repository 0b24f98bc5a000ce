import { describe, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { setStage } from '../support/access/principals.ts';
import { makeOwned } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { dereferenced, operationsOf } from '../support/openapi.ts';
import { testDatabase } from '../support/postgres.ts';
import { createFlagKey, startTestService } from '../support/service.ts';

const service = await startTestService(await testDatabase());
const stage = await setStage(service);
const document = dereferenced<any>((await service.call('/openapi.json')).body);
const owner = stage.principals.find(({ name }) => name === 'session of the owner');

type Schema = Record<string, any>;
/** A place in a request, and a value that the document does not allow there. */
type Breach = { route: string; part: 'body' | 'query'; field: string; why: string; value: unknown };

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
const CANDIDATES =
  `focus-timer app_opened USD owner@example.com 2026-11-21 2026-11-21T09:00:00.000Z 0123456789
  1-1 platform example.com https://example.com/hooks ABCDEFGHIJ 00000000-0000-4000-8000-000000000000
  com.example.focus`.split(/\s+/);

function sampleText(schema: Schema): string {
  const fits = ajv.compile(schema);
  const plain = 'x'.repeat(Math.max(schema.minLength ?? 0, Math.min(8, schema.maxLength ?? 8)));
  return [plain, ...CANDIDATES].find((text) => fits(text)) ?? plain;
}

/** Some value that the document allows. */
function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sample(schema.anyOf[0]);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items));
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((name: string) => [name, sample(schema.properties[name])]),
      );
  }
}

/** The values just past every bound that the document gives a field. */
function* pastBounds(schema: Schema): Generator<[string, unknown]> {
  if (schema.anyOf) return;
  if (schema.enum) yield ['enum', 'not-one-of-them'];
  if (schema.minLength) yield ['minLength', '😀'.repeat(schema.minLength - 1)];
  if (schema.maxLength !== undefined) yield ['maxLength', 'x'.repeat(schema.maxLength + 1)];
  if (schema.pattern) yield ['pattern', `${'x'.repeat(schema.minLength ?? 1)}\u0000`];
  if (schema.format) yield ['format', 'no-such-thing'];
  if (schema.minimum !== undefined) yield ['minimum', schema.minimum - 1];
  if (schema.maximum !== undefined) yield ['maximum', schema.maximum + 1];
  if (schema.minItems) yield ['minItems', []];
  if (schema.maxItems !== undefined && schema.items.type !== 'object') {
    yield ['maxItems', Array.from({ length: schema.maxItems + 1 }, () => sample(schema.items))];
  }
  if (schema.uniqueItems) yield ['uniqueItems', [sample(schema.items), sample(schema.items)]];
}

const routes = operationsOf(document).map((one): [string, Schema] => [one.route, one]);
const bodyOf = (operation: Schema): Schema =>
  operation.requestBody?.content['application/json'].schema ?? {};
const queryOf = (operation: Schema): Schema[] =>
  (operation.parameters ?? []).filter((one: Schema) => one.in === 'query');

const breaches = routes.flatMap(([route, operation]): Breach[] => {
  const inBody = Object.entries<Schema>(bodyOf(operation).properties ?? {}).flatMap(
    ([field, schema]) =>
      [...pastBounds(schema)].map(
        ([why, value]): Breach => ({ route, part: 'body', field, why, value }),
      ),
  );
  const inQuery = queryOf(operation).flatMap(({ name: field, schema }) =>
    [...pastBounds(schema)].map(
      ([why, value]): Breach => ({ route, part: 'query', field, why, value }),
    ),
  );
  return [...inBody, ...inQuery];
});

async function pathOf(route: string): Promise<string> {
  let path = (route.split(' ')[1] ?? '').replace(':id', stage.own.app.appId);
  for (const [param, resource] of Object.entries(ACCESS[route]?.owns ?? {})) {
    if (path.includes(`:${param}`))
      path = path.replace(`:${param}`, await makeOwned(resource, stage));
  }
  return path.replaceAll(/:\w+/g, 'nothing');
}

const flagSecret = await createFlagKey(service, stage.own.orgId, stage.own.app.appId);
const flagKey = { 'x-api-key': flagSecret };

function headersFor(route: string): Record<string, string> {
  const who = ACCESS[route]?.who ?? [];
  if (who.includes('device')) return stage.own.app.device;
  if (who.includes('flagKey')) return flagKey;
  return who.includes('orgKey') ? stage.own.key : (owner?.headers ?? {});
}

async function send({ route, part, field, value }: Breach) {
  const operation = routes.find(([name]) => name === route)?.[1] ?? {};
  const query = Object.fromEntries(
    queryOf(operation)
      .filter((one) => one.required)
      .map(({ name, schema }) => [name, String(sample(schema))]),
  );
  const body = operation.requestBody && sample(bodyOf(operation));
  if (part === 'query') query[field] = String(value);
  else body[field] = value;
  const search = new URLSearchParams(query).toString();
  return service.call(`${await pathOf(route)}${search && `?${search}`}`, {
    method: route.split(' ')[0] ?? '',
    headers: headersFor(route),
    ...(body !== undefined && { body }),
  });
}

describe('what the document forbids is refused, by the name of the field', () => {
  test.each(breaches.map((one) => [`${one.route} ${one.field} ${one.why}`, one] as const))(
    '%s',
    async (_, breach) => {
      const answer = await send(breach);
      expect(answer.body.error).toMatchObject({ hint: expect.stringContaining(breach.field) });
      expect(answer.status).toBe(400);
    },
  );
});

describe('a field that the document does not name', () => {
  test.each(routes.filter(([, operation]) => bodyOf(operation).type === 'object'))(
    'of %s is refused where it says so, and ignored where it does not',
    async (route, operation) => {
      const breach: Breach = { route, part: 'body', field: 'zzz', why: 'unknown', value: 1 };
      const { body } = await send(breach);
      const isRefused = body?.error?.hint === 'zzz: is not a field of this request';
      expect(isRefused).toBe(bodyOf(operation).additionalProperties === false);
    },
  );
});

describe('every text', () => {
  const texts = JSON.stringify(document);

  test('has no format but those of JSON Schema', () => {
    const formats = [...texts.matchAll(/"format":"([^"]+)"/g)].map((found) => found[1]);
    expect([...new Set(formats)].toSorted()).toEqual(['date', 'date-time', 'uri']);
    expect(texts).not.toContain('whenLeftOut');
    expect(texts).not.toContain('"rule":"');
  });

  test.each(routes.filter(([, operation]) => operation.requestBody))(
    'of %s that a caller writes has a greatest length, a pattern, a format or a list of words',
    (_, operation) => {
      const open: string[] = [];
      const walk = (schema: Schema, where: string): void => {
        const bounded = ['maxLength', 'pattern', 'format', 'enum', 'const'].some(
          (key) => key in schema,
        );
        if ([schema.type].flat().includes('string') && !bounded) open.push(where);
        for (const [name, inner] of Object.entries<Schema>(schema.properties ?? {})) {
          walk(inner, `${where}.${name}`);
        }
        for (const inner of schema.anyOf ?? []) walk(inner, where);
        if (schema.items) walk(schema.items, `${where}[]`);
      };
      walk(bodyOf(operation), 'body');
      expect(open).toEqual([]);
    },
  );
});

describe('every operation', () => {
  test.each(routes)('%s says which headers its answers have', (route, { responses }) => {
    for (const [status, response] of Object.entries<Schema>(responses)) {
      expect(Object.keys(response.headers)).toContain('x-request-id');
      if (['429', '502', '503'].includes(status))
        expect(response.headers).toHaveProperty('retry-after');
      const limited = ACCESS[route]?.limit !== 'none';
      expect('ratelimit' in response.headers).toBe(limited);
    }
  });

  test('that looks at a secret of the operator names its header', () => {
    const syncAll = document.paths['/internal/analytics/sync-all'].post;
    expect(syncAll.security).toEqual([{ cronSecret: [] }]);
    expect(document.components.securitySchemes.cronSecret.name).toBe('x-cron-secret');
    expect(Object.keys(syncAll.responses)).toEqual(
      expect.arrayContaining(['200', '400', '404', '500', '503']),
    );
    expect(syncAll.responses).not.toHaveProperty('415');
    expect(document.paths['/metrics'].get.responses['200'].content).toHaveProperty('text/plain');
  });

  test('shows the value of what is left out', () => {
    const days = document.paths['/v1/analytics'].get.parameters.find(
      (one: any) => one.name === 'days',
    );
    expect(days.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 400, default: 30 });
    const created = bodyOf(document.paths['/v1/apps'].post).properties;
    expect(created.region.default).toBe('us-east-1');
    expect(created.displayName).toMatchObject({ minLength: 1, maxLength: 80 });
  });
});
