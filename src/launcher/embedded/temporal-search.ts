export type CliSearch = {
  cliPath: string | undefined;
  cliDownloadUrl: string | undefined;
  cliSha256: string | undefined;
  searchPath: string;
  cacheDir: string;
};

export type Report = (line: string) => void;
