import { createFlagKey, createTestApp, type TestOrg, type TestService } from '../service.ts';

/** An app with a flag key, and the ways to change its flags and to ask for them. */
export async function flagApp(service: TestService, org: TestOrg) {
  const app = await createTestApp(service, org.orgId);
  const flagKey = await createFlagKey(service, org.orgId, app.appId);
  const path = `/v1/apps/${app.appId}/flags`;
  const bearer = { authorization: `Bearer ${flagKey}` };
  const call = (suffix: string, method: string, body?: object) =>
    service.call(`${path}${suffix}`, { method, headers: org.key, ...(body && { body }) });
  return {
    ...app,
    flagKey,
    path,
    list: async () => (await call('', 'GET')).body,
    create: (body: object) => call('', 'POST', body),
    read: async (id: string) => (await call(`/${id}`, 'GET')).body,
    change: (id: string, body: object) => call(`/${id}`, 'PATCH', body),
    remove: (id: string) => call(`/${id}`, 'DELETE'),
    versions: async (id: string) => (await call(`/${id}/versions`, 'GET')).body,
    restore: (id: string, body: object) => call(`/${id}/restore`, 'POST', body),
    ask: (key: string, context: object, headers: Record<string, string> = bearer) =>
      service.call(`/v1/ofrep/v1/evaluate/flags/${key}`, { body: { context }, headers }),
    experiment: async (body: object) => {
      const of = { headers: org.key, body: { name: 'Experiment', ...body } };
      return service.call(`/v1/apps/${app.appId}/experiments`, of);
    },
    /** Of an experiment; `suffix` such as `/overrides`. */
    onExperiment: (id: string, method: string, body?: object, suffix = '') =>
      service.call(`/v1/apps/${app.appId}/experiments/${id}${suffix}`, {
        method,
        headers: org.key,
        ...(body && { body }),
      }),
    askAll: (context: object, headers: Record<string, string> = {}) =>
      service.call('/v1/ofrep/v1/evaluate/flags', {
        body: { context },
        headers: { ...bearer, ...headers },
      }),
  };
}

export const ON_OFF = {
  type: 'boolean',
  variants: [
    { name: 'on', value: true },
    { name: 'off', value: false },
  ],
  defaultVariant: 'off',
};

export const PERSON = { targetingKey: 'person-0001' };
