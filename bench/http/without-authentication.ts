import { createDeps } from '../../src/app/deps.ts';
import { serve } from '../../src/app/serve.ts';
import { loadConfig } from '../../src/config.ts';
import { PERMISSIONS } from '../../src/shared/permissions.ts';

/** The same service, but for whoever calls: everybody is the organization of the benchmark. */
const deps = await createDeps(loadConfig(), 'api');
const orgId = process.env.BENCH_ORG_ID ?? '';
const everybody = { kind: 'orgKey' as const, keyId: 'key', orgId, permissions: PERMISSIONS };
deps.identity.authenticator.orgKey = async () => everybody;
const server = await serve(deps);
process.send?.({ details: { address: server.address } });
process.on('SIGTERM', () => process.exit(0));
