import { ensureInstalled } from './install.ts';

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled();
const { mutantsCommand } = await import('./mutants/cli.ts');
process.exit(await mutantsCommand(process.argv.slice(2)));
