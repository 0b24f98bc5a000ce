import { createDeps } from '../../src/app/deps.ts';
import { serve } from '../../src/app/serve.ts';
import { loadConfig } from '../../src/config.ts';

/** The same service, but nobody is dealt anything: the same answer for all, nothing written. */
const deps = await createDeps(loadConfig(), 'api');
const constant = { experiment: null, onboardings: [], defaultId: null, overrides: new Map() };
deps.assignments.rules = async () => constant;
const server = await serve(deps);
process.send?.({ details: { address: server.address } });
process.on('SIGTERM', () => process.exit(0));
