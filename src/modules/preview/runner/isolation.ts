import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { type Account, canReach, systemAccount } from '../../../shared/account.ts';
import { parseId } from '../../../shared/ids.ts';

export type Isolation = {
  commandLine: (folder: string, command: string) => string[];
  prepare: (folder: string) => Promise<void>;
};

const ACCOUNT = 'control-plane-preview';
/** For root's runners: another account cannot enter a private DATA_DIR. */
const ACCOUNT_FOLDER = '/var/lib/control-plane-preview';
/** A mount point in the runner's own namespace. */
const ASIDE = ['/mnt', '/media', '/srv'];

/** PID namespace: all processes end with the first, the first with `unshare`. */
const OWN_PROCESSES = ['--pid', '--fork', '--kill-child', '--mount-proc'];
/** PID 1 of a namespace gets no signal without a handler. */
const AS_FIRST_PROCESS = ['sh', '-c', 'trap : TERM INT; "$@"; exit $?', 'sh'];

/**
 * Empties the service's folders, puts the runner's back; the second `unshare` drops the right to
 * undo that.
 */
const HIDE = `set -e
folder=$1 aside=$2 uid=$3 gid=$4 command=$5
shift 5
mount -n --bind "$folder" "$aside"
for hidden; do
  if [ -d "$hidden" ]; then mount -n -t tmpfs -o mode=0700 tmpfs "$hidden"; fi
done
mkdir -p "$folder"
mount -n --move "$aside" "$folder"
cd "$folder"
set +e
trap : TERM INT
unshare --user --map-user="$uid" --map-group="$gid" sh -c "$command"
exit $?`;

const NOT_ISOLATED: Isolation = {
  commandLine: (_folder, command) => ['sh', '-c', command],
  prepare: async (folder) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  },
};

function works(command: readonly string[]): boolean {
  if (!Bun.which(command[0] ?? '')) return false;
  return Bun.spawnSync([...command], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0;
}

async function closeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    const isOpen = found !== null && found.uid === 0 && (found.mode & 0o077) !== 0;
    if (isOpen) await chmod(path, found.mode & 0o700);
  }
}

/** An account without rights to the service. */
function ofAccount(account: Account, hidden: readonly string[]): Isolation {
  const dropped = ['--clear-groups', '--no-new-privs', '--inh-caps=-all'];
  const asAccount = ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, ...dropped];
  const alone = ['unshare', ...OWN_PROCESSES];
  const prefix = works([...alone, 'true']) ? [...alone, ...AS_FIRST_PROCESS] : [];
  return {
    commandLine: (_folder, command) => [...prefix, ...asAccount, 'sh', '-c', command],
    prepare: async (folder) => {
      for (const path of hidden) await closeFolder(path);
      await mkdir(folder, { recursive: true, mode: 0o711 });
      await chmod(folder, 0o700);
      await chown(folder, account.uid, account.gid);
      if (canReach(join(folder, '.'), account)) return;
      throw new Error(`the account ${ACCOUNT} cannot reach ${folder}`);
    },
  };
}

/** For ordinary users with user namespaces. */
function ofNamespaces(hidden: readonly string[]): Isolation {
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return {
    commandLine: (folder, command) => namespaceCommand({ folder, command, hidden, uid, gid }),
    prepare: NOT_ISOLATED.prepare,
  };
}

export function namespaceCommand(run: {
  folder: string;
  command: string;
  hidden: readonly string[];
  uid: number;
  gid: number;
}): string[] {
  const aside = ASIDE.find((path) => existsSync(path)) ?? '/mnt';
  return [
    ...['unshare', '--user', '--map-root-user', '--mount', ...OWN_PROCESSES],
    ...['sh', '-c', HIDE, 'sh', run.folder, aside, String(run.uid), String(run.gid)],
    ...[run.command, ...run.hidden],
  ];
}

const isRoot = () => process.getuid?.() === 0;

export function runnerFolder(config: Config, appId: string): string {
  const isElsewhere = config.previewIsolation === 'required' && isRoot();
  const parent = isElsewhere ? ACCOUNT_FOLDER : join(config.dataDir, 'previews');
  return join(parent, parseId(appId, 'appId'));
}

function hiddenFolders({ dataDir, runDir, events }: Config): string[] {
  const files = events.url.startsWith('file:') ? [new URL(events.url).pathname] : [];
  return [dataDir, runDir, ...files];
}

export function chooseIsolation(config: Config): Isolation | string {
  if (config.previewIsolation === 'none') return NOT_ISOLATED;
  const hint = 'Set PREVIEW_ISOLATION=none on the worker to run it with the rights of the service.';
  const hidden = hiddenFolders(config);
  if (isRoot()) {
    const account = works(['setpriv', '--version']) ? systemAccount(ACCOUNT) : undefined;
    if (account) return ofAccount(account, hidden);
    return `The runner cannot be isolated: there is no "${ACCOUNT}" account, or no setpriv. ${hint}`;
  }
  const probe = ['unshare', '--user', '--map-root-user', '--mount', ...OWN_PROCESSES, 'true'];
  if (works(probe)) return ofNamespaces(hidden);
  return `The runner cannot be isolated: this machine gives users no namespaces. ${hint}`;
}
