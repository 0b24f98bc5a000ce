import { editDistance, nearest } from './nearest.ts';

/** Too many other names are near a shorter one. */
const SHORTEST_CHECKED = 7;
/** Names that other programs give, with more of their kind. */
const OTHERS = /^(AWS|OTEL)_/;

const splitList = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

function hostPort(text: string): string | undefined {
  const port = Number(/^.+:(\d{1,5})$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? text : undefined;
}

export type Env = Record<string, string | undefined>;

export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Undefined when unset or invalid, the latter also in `problems`. */
export class EnvReader {
  readonly problems: string[] = [];
  readonly #names = new Set<string>();
  readonly given: Record<string, string> = {};

  constructor(private readonly env: Env) {}

  problem(name: string, rule: string): void {
    this.problems.push(`${name} ${rule}`);
  }

  /** Empty counts as unset. */
  text(name: string): string | undefined {
    this.#names.add(name);
    const text = this.env[name]?.trim() || undefined;
    if (text !== undefined) this.given[name] = text;
    return text;
  }

  /** Variables of other names that are a letter or two off one that was read. */
  misspelt(): string[] {
    const own = [...this.#names].filter((name) => !OTHERS.test(name));
    return Object.keys(this.env)
      .filter((name) => name.length >= SHORTEST_CHECKED && !this.#names.has(name))
      .flatMap((name) => {
        const [meant = ''] = nearest(name, own, 1);
        return editDistance(name, meant) <= 2 ? `${name} is no setting; ${meant} is one.` : [];
      });
  }

  private read<T>(name: string, rule: string, parse: (text: string) => T | undefined) {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) this.problem(name, rule);
    return value;
  }

  secret(name: string, minLength: number) {
    const rule = `must have at least ${minLength} characters`;
    return this.read(name, rule, (text) => (text.length < minLength ? undefined : text));
  }

  integer(name: string, min: number, max: number) {
    return this.read(name, `must be a whole number from ${min} to ${max}`, (text) => {
      const value = Number(text);
      return /^-?\d+$/.test(text) && value >= min && value <= max ? value : undefined;
    });
  }

  number(name: string, min: number, max: number) {
    return this.read(name, `must be a number from ${min} to ${max}`, (text) => {
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    });
  }

  positiveNumber(name: string) {
    return this.read(name, 'must be a number greater than 0', (text) => {
      const value = Number(text);
      return Number.isFinite(value) && value > 0 ? value : undefined;
    });
  }

  oneOf<const T extends string>(name: string, words: readonly T[]) {
    const rule = `must be one of ${words.join(', ')}`;
    return this.read(name, rule, (text) => words.find((word) => word === text));
  }

  url(name: string, protocols: readonly string[]) {
    const rule = `must be an address that starts with ${protocols.join('// or ')}//`;
    return this.read(name, rule, (text) =>
      protocols.includes(URL.parse(text)?.protocol ?? '') ? text.replace(/\/+$/, '') : undefined,
    );
  }

  mailbox(name: string) {
    const rule = 'must be an address, or a name and an address: Service <service@example.com>';
    return this.read(name, rule, (text) => {
      const address = /<([^<>]*)>$/.exec(text)?.[1] ?? text;
      return /^[^\s<>@,]+@[^\s<>@,]+$/.test(address) ? text : undefined;
    });
  }

  hostPort(name: string) {
    return this.read(name, 'must be host:port', hostPort);
  }

  /** Comma-separated. */
  list(name: string): string[] {
    return splitList(this.text(name) ?? '');
  }

  private readList(name: string, rule: string, parse: (part: string) => string | undefined) {
    const values = this.read(name, rule, (text) => {
      const parsed = splitList(text).map(parse);
      return parsed.every((value) => value !== undefined) ? parsed : undefined;
    });
    return values ?? [];
  }

  /** `scheme://host[:port]` as in `Origin`. */
  origins(name: string) {
    const rule = `must hold origins such as https://console.example.com, not "${this.text(name)}"`;
    return this.readList(name, rule, (part) => {
      const parsed = URL.parse(part);
      return parsed && /^https?:\/\/[^/]+\/$/.test(parsed.href) ? parsed.origin : undefined;
    });
  }

  hostPorts(name: string) {
    return this.readList(name, 'must hold host:port pairs', hostPort);
  }

  /** Base64 of exactly `bytes` bytes, comma-separated. */
  keys(name: string, bytes: number) {
    const rule = `must hold ${bytes} bytes in base64 (several keys by comma)`;
    return this.readList(name, rule, (part) =>
      Buffer.from(part, 'base64').length === bytes ? part : undefined,
    );
  }

  /** `all` or comma-separated words. */
  someOf<const T extends string>(name: string, words: readonly T[]) {
    const rule = `must be all, or some of ${words.join(', ')} separated by commas`;
    return this.read(name, rule, (text) => {
      const parts = splitList(text);
      const found = words.filter((word) => text === 'all' || parts.includes(word));
      return text === 'all' || found.length === parts.length ? found : undefined;
    });
  }
}
