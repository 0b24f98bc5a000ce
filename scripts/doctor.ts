import { ensureInstalled } from './install.ts';

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled('run');
const { doctor } = await import('../src/admin/doctor/main.ts');
process.exit(await doctor(process.argv.slice(2)));
