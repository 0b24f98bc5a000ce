/** Reads typed values out of environment variables and collects what is wrong with them. */
export class EnvReader {
  readonly problems: string[] = [];

  constructor(private readonly env: Record<string, string | undefined>) {}

  problem(name: string, rule: string): void {
    this.problems.push(`${name} ${rule}`);
  }

  /** An empty variable counts as not set. */
  optionalText(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value ? value : undefined;
  }

  text(name: string, fallback: string): string {
    return this.optionalText(name) ?? fallback;
  }

  optionalSecret(name: string, minLength: number): string | undefined {
    const value = this.optionalText(name);
    if (value !== undefined && value.length < minLength) {
      this.problem(name, `must have at least ${minLength} characters`);
    }
    return value;
  }

  optionalInteger(name: string, min: number, max: number): number | undefined {
    const raw = this.optionalText(name);
    if (raw === undefined) return undefined;
    const value = Number(raw);
    if (!/^-?\d+$/.test(raw) || value < min || value > max) {
      this.problem(name, `must be a whole number from ${min} to ${max}`);
      return undefined;
    }
    return value;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? fallback;
  }

  positiveNumber(name: string, fallback: number): number {
    const raw = this.optionalText(name);
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (Number.isFinite(value) && value > 0) return value;
    this.problem(name, 'must be a number greater than 0');
    return fallback;
  }

  oneOf<const T extends string>(name: string, words: readonly T[], fallback: T): T {
    const raw = this.optionalText(name);
    if (raw === undefined) return fallback;
    const found = words.find((word) => word === raw);
    if (found === undefined) this.problem(name, `must be one of ${words.join(', ')}`);
    return found ?? fallback;
  }

  list(name: string): string[] {
    return (this.optionalText(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  optionalUrl(name: string, protocols: readonly string[]): string | undefined {
    const raw = this.optionalText(name);
    if (raw === undefined) return undefined;
    const parsed = URL.parse(raw);
    if (parsed && protocols.includes(parsed.protocol)) return raw.replace(/\/+$/, '');
    this.problem(name, `must be an address that starts with ${protocols.join('// or ')}//`);
    return undefined;
  }

  url(name: string, fallback: string, protocols: readonly string[]): string {
    return this.optionalUrl(name, protocols) ?? fallback;
  }

  /** `scheme://host[:port]` without a path, as browsers send in `Origin`. */
  origins(name: string): string[] {
    return this.list(name).flatMap((raw) => {
      const parsed = URL.parse(raw);
      if (parsed && /^https?:$/.test(parsed.protocol) && parsed.pathname === '/') {
        return [parsed.origin];
      }
      this.problem(name, `must hold origins such as https://console.example.com, not "${raw}"`);
      return [];
    });
  }

  optionalHostPort(name: string): string | undefined {
    const raw = this.optionalText(name);
    if (raw !== undefined && !isHostPort(raw)) this.problem(name, 'must be host:port');
    return raw;
  }

  hostPorts(name: string): string[] {
    const values = this.list(name);
    if (!values.every(isHostPort)) this.problem(name, 'must hold host:port pairs');
    return values;
  }

  /** `all`, or some of the words separated by commas. */
  roles<const T extends string>(name: string, words: readonly T[]): readonly T[] {
    const raw = this.list(name);
    if (raw.length === 0 || (raw.length === 1 && raw[0] === 'all')) return words;
    const found = words.filter((word) => raw.includes(word));
    if (found.length !== raw.length) {
      this.problem(name, `must be all, or some of ${words.join(', ')} separated by commas`);
    }
    return found;
  }

  /** Base64 keys of exactly `bytes` bytes, separated by commas. */
  keys(name: string, bytes: number): string[] {
    const values = this.list(name);
    if (!values.every((value) => Buffer.from(value, 'base64').length === bytes)) {
      this.problem(name, `must hold ${bytes} bytes in base64 (several keys by comma)`);
    }
    return values;
  }
}

function isHostPort(value: string): boolean {
  const port = Number(/:(\d{1,5})$/.exec(value)?.[1]);
  return port >= 1 && port <= 65_535 && value.lastIndexOf(':') > 0;
}
