import { availableParallelism } from 'node:os';
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
  /** Waits for the programs that `.ci/tools` installs. */
  needsTools?: boolean;
};

export type Seconds = Readonly<Record<string, number>>;

/**
 * So long may the files be that share a process: the service's modules are then
 * loaded and compiled once for all of them. Longer ones would be the last to end.
 */
const SHARED_SECONDS = 180;
/** A file of which nothing is recorded yet. */
const UNKNOWN_SECONDS = 5;

/** What these look at is the process itself: they have one of their own. */
const OWN_PROCESS = new Set([
  'test/integration/events/hot-memory.test.ts',
  'test/integration/http/telemetry.test.ts',
]);

const isPure = (file: TestFile) => file.needs.size === 0 && file.path.startsWith('test/unit/');

const canShare = (file: TestFile) => !file.serial && !OWN_PROCESS.has(file.path);

function jobOf(files: readonly TestFile[], label: string, seconds: Seconds): Job {
  return {
    label,
    files,
    serial: files.some((file) => file.serial),
    seconds: files.reduce((sum, file) => sum + (seconds[file.path] ?? 0), 0),
  };
}

type Share = { files: TestFile[]; seconds: number };

/** As few processes as `SHARED_SECONDS` allows, filled in the order of the paths. */
function shareOut(files: readonly TestFile[], seconds: Seconds): TestFile[][] {
  const shares: Share[] = [];
  for (const file of files) {
    const own = seconds[file.path] ?? UNKNOWN_SECONDS;
    const found = shares.find((share) => share.seconds + own <= SHARED_SECONDS);
    if (found) {
      found.files.push(file);
      found.seconds += own;
    } else shares.push({ files: [file], seconds: own });
  }
  return shares.map((share) => share.files);
}

/** `test/integration/logs: logs, retention; test/integration/marks: marks` */
function labelOf(files: readonly TestFile[]): string {
  const [only] = files;
  if (files.length === 1 && only) return only.path;
  const folders = Map.groupBy(files, (file) => dirname(file.path));
  return [...folders]
    .map(([folder, inside]) => {
      const names = inside.map((file) => file.path.slice(folder.length + 1, -'.test.ts'.length));
      return `${folder}: ${names.join(', ')}`;
    })
    .join('; ');
}

/** As many processes as there are cores, about equally long. */
function splitEvenly(files: readonly TestFile[], seconds: Seconds): TestFile[][] {
  const shares: Share[] = Array.from({ length: availableParallelism() }, () => ({
    files: [],
    seconds: 0,
  }));
  const own = (file: TestFile) => seconds[file.path] ?? UNKNOWN_SECONDS;
  for (const file of files.toSorted((a, b) => own(b) - own(a))) {
    const [least] = shares.toSorted((a, b) => a.seconds - b.seconds);
    least?.files.push(file);
    if (least) least.seconds += own(file);
  }
  return shares.map((share) => share.files).filter((share) => share.length > 0);
}

/** Files share processes unless they start whole services or look at their own process; longest first. */
export function planJobs(files: readonly TestFile[], seconds: Seconds): Job[] {
  const pure = splitEvenly(files.filter(isPure), seconds).map((share) =>
    jobOf(share, share.length > 1 ? `${share.length} files of test/unit` : labelOf(share), seconds),
  );
  const others = files.filter((file) => !isPure(file));
  const shared = shareOut(others.filter(canShare), seconds).map((share) =>
    jobOf(share, labelOf(share), seconds),
  );
  const single = others
    .filter((file) => !canShare(file))
    .map((file) => jobOf([file], file.path, seconds));
  return [...pure, ...shared, ...single].toSorted((a, b) => b.seconds - a.seconds);
}
