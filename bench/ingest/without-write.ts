import { createDeps } from '../../src/app/deps.ts';
import { serve } from '../../src/app/serve.ts';
import { loadConfig } from '../../src/config.ts';

/** The same service, but a batch that was checked is thrown away instead of written. */
const deps = await createDeps(loadConfig(), 'api');
deps.events.append = async () => undefined;
const server = await serve(deps);
process.send?.({ details: { address: server.address } });
process.on('SIGTERM', () => process.exit(0));
