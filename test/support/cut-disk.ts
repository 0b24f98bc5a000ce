import { dlopen, FFIType, ptr } from 'bun:ffi';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from './instance.ts';
import { until } from './until.ts';

/** `EXT4_IOC_SHUTDOWN`, which is `XFS_IOC_GOINGDOWN`; nothing is flushed, the journal neither. */
const SHUTDOWN = 0x80_04_58_7dn;
const WITHOUT_FLUSH = 2;
const SIZE_BYTES = 8 * 1024 ** 3;

export type FileSystem = 'ext4' | 'xfs';

export type CutDisk = {
  dir: string;
  /**
   * The power of the host is cut and comes back: what was not synced is gone, so is every process
   * that has files there.
   */
  cut: () => Promise<void>;
  close: () => Promise<void>;
};

const libc = () =>
  dlopen('libc.so.6', {
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  }).symbols;

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Stopped, a zombie, or gone. */
function isStill(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return 'TtZX'.includes(text.slice(text.lastIndexOf(')') + 2)[0] ?? '');
  } catch {
    return true;
  }
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`);
}

/** Whether one can be made here: root of a Linux machine with loop devices. */
export function canCut(kind: FileSystem): boolean {
  if (process.getuid?.() !== 0 || Bun.which(`mkfs.${kind}`) === null) return false;
  return Bun.spawnSync(['losetup', '--find']).exitCode === 0;
}

/** A file system in an image; `options` are drawn anew at each mount. */
export function cutDisk(kind: FileSystem, options: () => string): CutDisk {
  const dir = mkdtempSync(join(tmpdir(), 'cut-'));
  const image = `${dir}.img`;
  writeFileSync(image, '');
  truncateSync(image, SIZE_BYTES);
  run(`mkfs.${kind}`, '-q', image);
  const mount = () => run('mount', '-t', kind, '-o', `loop${options()}`, image, dir);
  mount();
  const known = new Set([process.pid]);
  /** Beside a shutdown, a sync under way may succeed that wrote nothing: nobody may hear of it. */
  const freeze = () =>
    until('every process stands still', () => {
      const pids = processesOf(dir, known);
      signal(pids, 'SIGSTOP');
      return pids.every(isStill);
    });
  const unmount = () =>
    until('nobody has files there', () => {
      signal(processesOf(dir, known), 'SIGKILL');
      return Bun.spawnSync(['umount', dir]).exitCode === 0;
    });
  return {
    dir,
    cut: async () => {
      await freeze();
      const folder = openSync(dir, 'r');
      const failed = libc().ioctl(folder, SHUTDOWN, ptr(new Uint32Array([WITHOUT_FLUSH])));
      closeSync(folder);
      if (failed !== 0) throw new Error(`${kind} cannot be shut down here.`);
      await unmount();
      mount();
    },
    close: async () => {
      await unmount();
      rmSync(image);
      rmSync(dir, { recursive: true });
    },
  };
}
