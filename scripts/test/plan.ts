import { dirname } from 'node:path';
import type { TestFile } from './select.ts';

/** What one `bun test` runs. */
export type Job = {
  label: string;
  files: readonly TestFile[];
  /** Starts or kills whole services: one such job at a time, and of full counts nothing beside. */
  serial: boolean;
  /** What it took when it was last recorded; 0 when it never was. */
  seconds: number;
};

export type Seconds = Readonly<Record<string, number>>;

/**
 * So long may the files of one folder be that share a process: the service's modules are then
 * loaded and compiled once for all of them. Longer ones would be the last to end.
 */
const SHARED_SECONDS = 30;
/** A file of which nothing is recorded yet. */
const UNKNOWN_SECONDS = 5;

/** What these look at is the process itself: they have one of their own. */
const OWN_PROCESS = new Set([
  'test/integration/events/hot-memory.test.ts',
  'test/integration/http/telemetry.test.ts',
]);

const isPure = (file: TestFile) => file.needs.size === 0 && file.path.startsWith('test/unit/');

/** Temporal's workers are native threads, and each of those files has a namespace of its own. */
const canShare = (file: TestFile) =>
  !file.serial &&
  !OWN_PROCESS.has(file.path) &&
  file.needs.has('postgres') &&
  !file.needs.has('temporal');

function jobOf(files: readonly TestFile[], label: string, seconds: Seconds): Job {
  return {
    label,
    files,
    serial: files.some((file) => file.serial),
    seconds: files.reduce((sum, file) => sum + (seconds[file.path] ?? 0), 0),
  };
}

/** The files of one folder in as few processes as `SHARED_SECONDS` allows. */
function shareOut(files: readonly TestFile[], seconds: Seconds): TestFile[][] {
  const shares: TestFile[][] = [];
  let filled = SHARED_SECONDS;
  for (const file of files) {
    const own = seconds[file.path] ?? UNKNOWN_SECONDS;
    if (filled + own > SHARED_SECONDS) {
      shares.push([]);
      filled = 0;
    }
    shares.at(-1)?.push(file);
    filled += own;
  }
  return shares;
}

/** Unit tests share a process, so do those of a folder that need PostgreSQL only; longest first. */
export function planJobs(files: readonly TestFile[], seconds: Seconds): Job[] {
  const pure = files.filter(isPure);
  const folders = Map.groupBy(files.filter(canShare), (file) => dirname(file.path));
  const shared = [...folders].flatMap(([folder, inside]) =>
    shareOut(inside, seconds).map((share) => {
      const names = share.map((file) => file.path.slice(folder.length + 1, -'.test.ts'.length));
      const label = share.length === 1 ? share[0]?.path : `${folder}: ${names.join(', ')}`;
      return jobOf(share, label ?? folder, seconds);
    }),
  );
  const single = files
    .filter((file) => !isPure(file) && !canShare(file))
    .map((file) => jobOf([file], file.path, seconds));
  const together = pure.length ? [jobOf(pure, `${pure.length} files of test/unit`, seconds)] : [];
  return [...together, ...shared, ...single].toSorted((a, b) => b.seconds - a.seconds);
}
