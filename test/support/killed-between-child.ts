import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createApp } from '../../src/modules/apps/create.ts';

/** An API process that is killed after the commit of a new app and before its run is started. */
const deps = await createDeps(loadConfig(), 'api');
deps.temporal.ensure = () => {
  process.kill(process.pid, 'SIGKILL');
  return Promise.reject(new Error('killed'));
};
const orgId = process.env.CHILD_ORG ?? '';
await createApp(
  { deps, orgId, requestId: 'child', actor: { kind: 'system' } },
  { slug: 'killed-between', displayName: 'Killed between' },
);
