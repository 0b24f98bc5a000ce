import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { ChildReply } from '../../modules/sql/model.ts';
import { errorMessage } from '../../shared/errors.ts';
import { address, listAddress, mustCall, textAddress } from './kernel.ts';
import { restrictFiles } from './landlock.ts';
import { confinement, confinementPath } from './protocol.ts';

/** Landlock binds a thread and the program it becomes: the child's threads come after it. */
const SET_PARENT_DEATH_SIGNAL = 1;
const SET_NO_NEW_PRIVILEGES = 38;
const SIGKILL = 9;
const LIMITS = { cpuSeconds: 0, fileBytes: 1, coreBytes: 4, openFiles: 7 };
const OPEN_FILES = 4_096;
const FIRST_OTHER_FILE = 3;
const LAST_FILE = 0xffff_ffff;
const CLOSE_ON_EXEC = 4;
const FIRST_TO_END = '1000';

function limit(what: keyof typeof LIMITS, value: number): void {
  const both = new BigUint64Array([BigInt(value), BigInt(value)]);
  mustCall('prlimit64', 0, LIMITS[what], address(new Uint8Array(both.buffer)), 0);
}

function enter(): void {
  const plan = confinement.parse(JSON.parse(readFileSync(confinementPath(process.cwd()), 'utf8')));
  mustCall('prctl', SET_PARENT_DEATH_SIGNAL, SIGKILL);
  writeFileSync('/proc/self/oom_score_adj', FIRST_TO_END);
  limit('cpuSeconds', plan.cpuSeconds);
  limit('fileBytes', 0);
  limit('coreBytes', 0);
  limit('openFiles', OPEN_FILES);
  mustCall('close_range', FIRST_OTHER_FILE, LAST_FILE, CLOSE_ON_EXEC);
  mustCall('prctl', SET_NO_NEW_PRIVILEGES, 1);
  restrictFiles(plan);
  mustCall(
    'execve',
    textAddress(process.execPath),
    listAddress([...[process.execPath, '--no-env-file', '--no-install', '--smol'], plan.entry]),
    listAddress([]),
  );
}

try {
  enter();
} catch (thrown) {
  const failed: ChildReply = { fault: 'not_isolated', message: errorMessage(thrown) };
  writeSync(1, JSON.stringify(failed));
}
