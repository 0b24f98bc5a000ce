/** The part of `config.temporal` that the search needs. */
export type CliSearch = {
  cliPath: string | undefined;
  cliDownloadUrl: string | undefined;
  cliSha256: string | undefined;
  /** `PATH` in which `temporal` and `go` are looked for. */
  searchPath: string;
  /** Outside the project, so that every clone on this machine shares it. */
  cacheDir: string;
};

/** Progress messages: building takes minutes. */
export type Report = (line: string) => void;
