import { expect, test } from 'bun:test';
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
