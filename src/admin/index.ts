import { runCli } from './cli.ts';
import { COMMANDS } from './commands/index.ts';
import { connect } from './connect.ts';
import { terminal } from './terminal.ts';

void runCli(COMMANDS, process.argv.slice(4), { terminal, connect }).then((code) =>
  process.exit(code),
);
