import { cpSync, existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { $, type Subprocess } from 'bun';

const ROOT = join(import.meta.dir, '../../..');
const CLIENTS = join(ROOT, 'clients');

/** Made by `bun scripts/swift-root.ts`: a Debian with Swift, for systems that have none to install. */
export const SWIFT_ROOT = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'mobile-control-plane/swift/trixie',
);

export type Swift = {
  /** Where Swift finds a path of the package. */
  at: (path: string) => string;
  /** Starts a command with the package as its working folder. */
  spawn: (command: string[], env?: Record<string, string>) => Subprocess<'ignore', 'pipe', 'pipe'>;
};

const pipes = { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const;

/** True when the `swift` of this machine is one that the package can be built with. */
function hasSwift6(): boolean {
  if (!Bun.which('swift')) return false;
  const { stdout } = Bun.spawnSync(['swift', '--version']);
  return Number(/Swift version (\d+)/.exec(stdout.toString())?.[1]) >= 6;
}

/** Swift 6 on this machine or in the prepared root; null after saying that there is none. */
export function findSwift(): Swift | null {
  if (hasSwift6()) {
    return {
      at: (path) => join(CLIENTS, 'swift', path),
      spawn: (command, env) =>
        Bun.spawn(command, {
          ...pipes,
          cwd: join(CLIENTS, 'swift'),
          env: { ...process.env, BEHAVIOUR: join(CLIENTS, 'behaviour'), ...env },
        }),
    };
  }
  if (process.getuid?.() === 0 && existsSync(join(SWIFT_ROOT, 'usr/libexec/swift/bin/swift'))) {
    // Mounts of a namespace of its own: gone with the process, whatever happens to us.
    const enter = [
      'mount -t proc proc "$0/proc"',
      'mkdir -p "$0/clients"',
      'mount --bind "$1" "$0/clients"',
      'root="$0"',
      'shift',
      'exec chroot "$root" sh -c \'cd /clients/swift && exec "$@"\' sh "$@"',
    ].join(' && ');
    return {
      at: (path) => join('/clients/swift', path),
      spawn: (command, env) =>
        Bun.spawn(['unshare', '--mount', 'sh', '-c', enter, SWIFT_ROOT, CLIENTS, ...command], {
          ...pipes,
          env: {
            PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
            HOME: '/root',
            BEHAVIOUR: '/clients/behaviour',
            ...env,
          },
        }),
    };
  }
  console.log(
    'not run: no Swift here (version 6 or later; clients/swift/README.md says where to get it)',
  );
  return null;
}

/** Runs a command to its end; its output and its exit code. */
export async function runSwift(swift: Swift, command: string[], env?: Record<string, string>) {
  const child = swift.spawn(command, env);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${out}\n${err}` };
}

/** A repository with what the root of this one has for SwiftPM, on a branch `main`. */
export async function swiftRepository(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const sources = 'clients/swift/Sources';
  cpSync(join(ROOT, sources), join(folder, sources), { recursive: true });
  cpSync(join(ROOT, 'Package.swift'), join(folder, 'Package.swift'));
  const git = ['git', '-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  for (const command of [
    ['init', '-qb', 'main'],
    ['add', '.'],
    ['commit', '-qm', 'All'],
  ]) {
    await $`${git} ${command}`.cwd(folder).quiet();
  }
}
