import { runCli } from './cli.ts';
import { COMMANDS } from './commands/index.ts';
import { connect } from './connect.ts';

const terminal = {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
};

process.exit(await runCli(COMMANDS, process.argv.slice(2), { terminal, connect }));
