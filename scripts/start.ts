import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.ts';
import { stopWithBunRun } from './parent.ts';

const HELP = `Usage: bun run start

Starts the service on DATA_DIR (.data when left out): every process that ROLE names, and PostgreSQL and
Temporal with them unless DATABASE_URL and TEMPORAL_ADDRESS name servers of your own. It runs until Ctrl-C.

Settings are environment variables, which .env may hold: docs/configuration.md has all of them.
What to do with the running service: bun run admin --help

  --reload    Start the processes anew when a file of the code changes (bun run dev)
  --help, -h  Print this and start nothing`;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const unknown = args.find((arg) => arg !== '--reload');
if (unknown !== undefined) {
  process.stderr.write(
    `"${unknown}" is no option of the start. Settings are environment variables: docs/configuration.md. "bun run start --help" says more.\n`,
  );
  process.exit(2);
}

// Everything past the installation may import packages, so it is loaded only now.
await ensureInstalled('run');
stopWithBunRun();
await import(join(ROOT, 'src/main.ts'));
