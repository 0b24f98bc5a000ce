export type CliSearch = {
  cliPath: string | undefined;
  cliDownloadUrl: string | undefined;
  cliSha256: string | undefined;
  searchPath: string;
  /** Outside the project, shared by all clones on this machine. */
  cacheDir: string;
};

export type Report = (line: string) => void;
