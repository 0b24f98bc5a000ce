import { parseArgs } from 'node:util';
import { terminal } from '../admin/terminal.ts';
import { errorMessage } from '../shared/errors.ts';
import type { ListenAt } from './listener.ts';
import { removeDemo, runDemo } from './run.ts';

const HELP = `Usage: bun run demo [--people N] [--seed N] [--listen HOST:PORT] [--exit | --stay]
       bun run demo --remove

Fills a new organization "Demo" with a month of two apps, beside the service that runs on DATA_DIR (or
that DATABASE_URL names), or in one that it starts: events, funnels, sales, subscribers, experiments,
logs, webhooks, a digest and messages. Prints a login and what to look at, and then each webhook and
message, until Ctrl-C; two days of sales that were late arrive meanwhile. A service that runs already
sends here only with EGRESS_ALLOW=127.0.0.1:4400. A second run replaces the first. Nothing is sent to
the App Store.

  --people N  People of the larger app; 3000 when left out
  --seed N    Another month for another number; 1 when left out
  --listen HOST:PORT  Where the worker finds this command, if not at 127.0.0.1:4400; EGRESS_ALLOW names it, too
  --exit      End when everything is there, as it does by itself where its output is no terminal
  --stay      Go on until Ctrl-C there too
  --remove    Remove the demo and its login, and nothing else`;

class UsageError extends Error {}

function whole(text: string | undefined, name: string, usual: number, max: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) {
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`);
  }
  return value;
}

function listenAt(text: string | undefined): ListenAt {
  if (text === undefined) return null;
  const [, host, port] = /^([a-z0-9.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError('--listen must be HOST:PORT, such as api:4400.');
  }
  return { host, port: Number(port) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        people: { type: 'string' },
        seed: { type: 'string' },
        listen: { type: 'string' },
        exit: { type: 'boolean' },
        stay: { type: 'boolean' },
        remove: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (thrown) {
    throw new UsageError(errorMessage(thrown));
  }
}

async function run(args: string[]): Promise<void> {
  const given = parse(args);
  if (given.help) return terminal.out(HELP);
  if (given.exit && given.stay) throw new UsageError('Give either --exit or --stay, not both.');
  if (given.remove) return removeDemo(terminal.out);
  await runDemo(
    {
      people: whole(given.people, 'people', 3_000, 100_000),
      seed: whole(given.seed, 'seed', 1, 1_000_000),
      listen: listenAt(given.listen),
      // A script would wait forever.
      stays: given.stay ?? (!given.exit && process.stdout.isTTY),
    },
    terminal.out,
  );
}

export async function demo(args: string[]): Promise<number> {
  try {
    await run(args);
    return 0;
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      terminal.err(`${thrown.message}\nSee "bun run demo --help".`);
      return 2;
    }
    terminal.err(`The demo did not finish. ${errorMessage(thrown)}`);
    return 1;
  }
}
