import { runCli } from './cli.ts';
import { COMMANDS } from './commands/index.ts';
import { connect } from './connect.ts';
import { terminal } from './terminal.ts';

process.exit(await runCli(COMMANDS, process.argv.slice(2), { terminal, connect }));
