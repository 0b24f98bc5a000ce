import { ensureInstalled } from './install.ts';

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled();
const { runFuzz } = await import('./fuzz/run.ts');
process.exit(await runFuzz(process.argv.slice(2)));
