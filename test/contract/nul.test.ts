import { expect, test } from 'bun:test';
import { sentExample } from '../support/example-body.ts';
import { operationsOf } from '../support/openapi.ts';
import { createTestMember } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';

const service = await startTestService(await testDatabase());
const org = await createTestOrg(service);
const owner = await createTestMember(service, org, 'owner');
const { appId } = await createTestApp(service, org.orgId);
const { body: document } = await service.call('/openapi.json');

type Parameter = { in: string; name: string };
type Operation = { parameters?: Parameter[]; requestBody?: unknown };
const OPERATIONS = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

const NUL = '%00';
/** Each parameter by itself is a NUL character, the app is a real one where another is. */
const asked = OPERATIONS.flatMap(({ path, method, parameters = [], requestBody }) =>
  parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map((one) => {
      const fill = (name: string) => (name === one.name ? NUL : name === 'id' ? appId : 'nothing');
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name));
      const query = one.in === 'query' ? `?${one.name}=${NUL}` : '';
      return { method: method.toUpperCase(), path: `${filled}${query}`, hasBody: !!requestBody };
    }),
);

test(`a NUL character in any parameter is no fault of ours: ${asked.length} requests`, async () => {
  const faults: string[] = [];
  for (const { method, path, hasBody } of asked) {
    for (const headers of [{ cookie: owner.cookie }, {}]) {
      const body = hasBody && { body: { message: {}, signedPayload: 'a', type: 'a' } };
      const { status } = await service.call(path, { method, headers, ...body });
      if (status === 500) faults.push(`${method} ${path}`);
    }
  }
  expect(faults).toEqual([]);
});

/** The same value with `text` in place of one of its texts, for each of them; keys too. */
function* spoiled(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      for (const bad of spoiled(one, text)) yield value.with(index, bad);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      for (const bad of spoiled(one, text)) yield { ...value, [key]: bad };
    }
    yield { ...value, [text]: text };
  }
}

const MORE = process.env.TEST_FULL ? ['\0', 'b\udc00'] : [];
const BAD_TEXTS = ['a\0b', '\ud800', ...MORE];
const withBodies = operationsOf(document).filter(({ requestBody }) => requestBody);

test(`nor is a NUL character or half of one in any text of a body: ${withBodies.length} routes`, async () => {
  const faults: string[] = [];
  let sent = 0;
  for (const operation of withBodies) {
    const path = operation.path.replace('{id}', appId).replaceAll(/\{\w+\}/g, 'nothing');
    const example = sentExample(operation, { appId, onboardings: [] });
    for (const text of BAD_TEXTS) {
      for (const body of spoiled(example, text)) {
        const call = { method: operation.method, headers: { cookie: owner.cookie }, body };
        const { status, body: answer } = await service.call(path, call);
        sent += 1;
        if (status === 500)
          faults.push(
            `${operation.operationId}: ${JSON.stringify(body)} ${JSON.stringify(answer)}`,
          );
      }
    }
  }
  expect(faults).toEqual([]);
  expect(sent).toBeGreaterThan(300);
}, 120_000);
