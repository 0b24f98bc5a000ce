import { loadConfig } from '../config.ts';
import { createDeps } from '../deps.ts';
import { type Connect, runCli } from './cli.ts';
import { COMMANDS } from './commands/index.ts';

/** The service that the environment configures. */
const connect: Connect = async () => {
  const deps = await createDeps(loadConfig(), 'admin');
  return { ctx: { deps, requestId: 'admin' }, close: deps.close };
};

const terminal = {
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
};

process.exit(await runCli(COMMANDS, process.argv.slice(2), { terminal, connect }));
