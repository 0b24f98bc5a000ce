import { loadConfig } from '../../src/config.ts';
import { openLakeEngine } from '../../src/query/reading/lake/open.ts';
import { must } from '../../src/shared/assert.ts';

// Asks the engine of this process's own LAKE_ENGINE_URL, as the service does, and prints its rows.
const engine = must(openLakeEngine(loadConfig(process.env)), 'LAKE_ENGINE_URL');
const statement = must(process.argv[2], 'a statement');
const { signal } = new AbortController();
await engine.ping(signal);
console.log(JSON.stringify(await engine.run(statement, signal)));
