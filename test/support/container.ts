import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Image } from './image.ts';
import { isHealthy } from './instance.ts';
import { keepSaid, readText } from './streams.ts';
import { until } from './until.ts';

/** A runtime's devices, memory and places to write; `$0` root, `$1` data, `$2` user, `$3` folder. */
const BEGIN = `set -e
root="$0" data="$1" user="$2" folder="$3"
shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/zero" c 1 5
mknod -m 666 "$root/dev/random" c 1 8
mknod -m 666 "$root/dev/urandom" c 1 9
mount -t proc proc "$root/proc"
mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
mount --bind /etc/hosts "$root/etc/hosts"
exec setpriv --no-new-privs ${Bun.which('chroot')} --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;

const SPACES = ['--mount', '--pid', '--uts', '--ipc'];

export type Container = {
  url: string;
  dataDir: string;
  /** PID 1 of it, as this machine sees it. */
  first: () => number;
  exec: (words: string[]) => string;
  /** Everything in it at once. */
  kill: () => Promise<void>;
  stop: () => Promise<number>;
  settings: () => Record<string, string>;
};

export async function newVolume(user: number): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'volume-')), 'data');
  mkdirSync(path);
  await chown(path, user, user);
  return path;
}

/** What a container of the image would be, with a root that is read only, on this machine's network. */
export async function startContainer(
  image: Image,
  { dataDir, port, env = {} }: { dataDir: string; port: number; env?: Record<string, string> },
): Promise<Container> {
  const url = `http://127.0.0.1:${port}`;
  const given = [image.root, dataDir, image.user, image.workdir];
  const words = ['unshare', ...SPACES, '--fork', '--kill-child=SIGKILL', '/bin/sh', '-c', BEGIN];
  const child = Bun.spawn([...words, ...given, ...image.entrypoint, ...image.command], {
    env: { PATH: process.env.PATH ?? '', ...image.env, PORT: String(port), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    void readText(stream, (text) => {
      said += text;
      keepSaid(`container ${child.pid}`, text);
    });
  }
  const first = () =>
    Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
  await Promise.race([
    until('the container is healthy', () => isHealthy(url)),
    child.exited.then((code) => {
      throw new Error(`It ended with ${code}: ${said.slice(-4_000)}`);
    }),
  ]);
  const [uid = '', gid = ''] = image.user.split(':');
  return {
    url,
    dataDir,
    first,
    exec: (command) => {
      const enter = [
        'nsenter',
        `--target=${first()}`,
        ...SPACES,
        '--root',
        `--wdns=${image.workdir}`,
      ];
      const ran = Bun.spawnSync(
        [...enter, `--setuid=${uid}`, `--setgid=${gid}`, '--', ...command],
        { env: { ...image.env, PORT: String(port) } },
      );
      if (ran.exitCode !== 0) throw new Error(`${command.join(' ')}: ${ran.stdout}${ran.stderr}`);
      return ran.stdout.toString();
    },
    kill: async () => {
      // The first process of its space; the parent's death signal ends with the change of user.
      process.kill(first(), 'SIGKILL');
      await child.exited;
      await until('nothing of it listens', async () => !(await isHealthy(url)));
    },
    stop: async () => {
      process.kill(first(), 'SIGTERM');
      return child.exited;
    },
    settings: () => JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')).env,
  };
}
