import { ensureInstalled } from './install.ts';

await ensureInstalled();
const { supply } = await import('./supply/main.ts');
process.exit(await supply(process.argv.slice(2)));
