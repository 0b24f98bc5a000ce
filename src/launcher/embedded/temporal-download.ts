import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errorMessage } from '../../shared/errors.ts';

export type CliSearch = {
  cliPath: string | undefined;
  cliDownloadUrl: string | undefined;
  cliSha256: string | undefined;
  searchPath: string;
  cacheDir: string;
};

export type Report = (line: string) => void;

const RELEASES = 'https://github.com/temporalio/cli/releases/download/v1.5.1';

/** Source: docs/adr/0030-embedded-servers.md. */
const ARCHIVES: Record<string, { name: string; sha256: string }> = {
  'linux-x64': {
    name: 'temporal_cli_1.5.1_linux_amd64.tar.gz',
    sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  },
  'linux-arm64': {
    name: 'temporal_cli_1.5.1_linux_arm64.tar.gz',
    sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  },
  'darwin-x64': {
    name: 'temporal_cli_1.5.1_darwin_amd64.tar.gz',
    sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  },
  'darwin-arm64': {
    name: 'temporal_cli_1.5.1_darwin_arm64.tar.gz',
    sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
};

const LIMIT_BYTES = 400 * 1024 * 1024;
const CONNECT_WITHIN_MS = 3_000;
const STALL_MS = 30_000;

type Source = { url: string; sha256: string };

export function archiveSource(
  { cliDownloadUrl, cliSha256 }: Pick<CliSearch, 'cliDownloadUrl' | 'cliSha256'>,
  platform = `${process.platform}-${process.arch}`,
): Source | undefined {
  const archive = ARCHIVES[platform];
  const sha256 = cliSha256 ?? archive?.sha256;
  const url = cliDownloadUrl ?? (archive ? `${RELEASES}/${archive.name}` : undefined);
  return url && sha256 ? { url, sha256: sha256.toLowerCase() } : undefined;
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

async function extract(archive: string, binary: string): Promise<void> {
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
  const platform = `${process.platform}-${process.arch}`;
  if (!source) throw new Error(`There is no official download for ${platform}.`);
  report(`Downloading Temporal from ${source.url} …`);
  const archive = `${binary}.tar.gz`;
  try {
    const sha256 = await save(source.url, archive);
    if (sha256 !== source.sha256) {
      throw new Error(`its SHA-256 is ${sha256}, not ${source.sha256}; it was discarded`);
    }
    await extract(archive, binary);
  } catch (error) {
    throw new Error(
      `The download from ${source.url} failed: ${errorMessage(error).replace(/[.?]$/, '')}. ` +
        'TEMPORAL_CLI_DOWNLOAD_URL can name another place for the same archive.',
    );
  } finally {
    await rm(archive, { force: true });
  }
}
