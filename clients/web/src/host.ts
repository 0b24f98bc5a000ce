/** The part of `Storage` that the client uses. */
export interface KeyValue {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export interface Answer {
  status: number;
  /** Where it came from in the end. */
  url?: string;
  headers: { get(name: string): string | null };
  text?(): Promise<string>;
}

export interface Request {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  keepalive: boolean;
  credentials: 'omit';
  redirect: 'error';
  signal?: AbortSignal;
}

/** `hide`: out of sight, may come back; `leave`: the page goes away; `show`: it is back. */
export type Moment = 'hide' | 'leave' | 'show' | 'online';

/** Everything outside the client; tests pass their own. */
export interface Host {
  fetch(url: string, request: Request): Promise<Answer>;
  /** May throw, or give nothing, where storage is blocked. */
  storage(): KeyValue | null | undefined;
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** At least 16 characters that nobody else has. */
  id(): string;
  locale(): string | undefined;
  /** Shows a line to whoever develops the app. */
  log(line: string): void;
  /** Shows whoever develops the app what is wrong. */
  warn(line: string): void;
  hidden(): boolean;
  timer(run: () => void, ms: number): () => void;
  /** Runs `work` unless another tab is at it; without the browser's locks just runs it. */
  exclusive(name: string, work: () => void): void;
  listen(run: (moment: Moment) => void): () => void;
}
