import { chmodSync, chownSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { type Server, startServer, waitUntilReady } from '../../src/launcher/embedded/server.ts';
import { answersPostgres } from '../../src/launcher/watch-answers.ts';
import { postgresAccount } from '../../src/shared/account.ts';

export type Pooler = { url: string; start: () => Promise<Server> };

/**
 * A real PgBouncer in transaction mode before the server of `databaseUrl`, for each of its databases.
 * `server_round_robin` gives each transaction another connection while several are open.
 */
export async function preparePgbouncer(dir: string, databaseUrl: string): Promise<Pooler> {
  const program = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });
  if (!program) throw new Error('No pgbouncer was found (Debian: apt install pgbouncer).');
  const { hostname, port, username, password } = new URL(databaseUrl);
  const url = new URL(databaseUrl);
  url.port = String(await freePort());
  const account = postgresAccount();
  await mkdir(dir, { recursive: true });
  const [settings, users] = [join(dir, 'pgbouncer.ini'), join(dir, 'users.txt')];
  await Bun.write(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  await Bun.write(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${url.port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
server_round_robin = 1
max_client_conn = 4000
default_pool_size = 60
server_idle_timeout = 5
server_login_retry = 1
query_wait_timeout = 5
`,
  );
  for (const path of [dir, settings, users]) {
    chmodSync(path, path === dir ? 0o700 : 0o600);
    if (account) chownSync(path, account.uid, account.gid);
  }
  const logPath = join(dir, 'pgbouncer.log');
  const start = async () => {
    const server = startServer({
      ...{ command: [program, settings], cwd: dir, logPath, stopSignal: 'SIGINT', account },
    });
    const isReady = () => answersPostgres(Number(url.port));
    await waitUntilReady(server, { name: 'PgBouncer', logPath, isReady });
    return server;
  };
  return { url: url.toString(), start };
}
