import { findFault } from './check.ts';
import type { Described, Description } from './described.ts';
import { ConnectionError, ContractError, errorOf } from './errors.ts';
import described from './operations.json';
import type { Operations } from './operations.ts';
import { isRepeatable, withRetries } from './retry.ts';

export interface ApiOptions {
  /** Address of the service, such as `https://control.example.com`. */
  url: string;
  /** Organization key (`svk_…`); for servers only. Without it, the browser's session is used. */
  apiKey?: string;
  /** Publishable key (`svp_…`), for the operations of a shipped app. */
  serviceKey?: string;
  /** Milliseconds for one attempt; default 30,000. */
  timeoutMs?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CallOptions {
  signal?: AbortSignal;
}

type Name = keyof Operations;
type Input<N extends Name> = Operations[N]['input'];
type Output<N extends Name> = Operations[N]['output'];
/** The input may be left out where nothing in it is needed. */
type Arguments<N extends Name> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: CallOptions]
    : [input: Input<N>, options?: CallOptions];

/** The operations whose answer is one page of several. */
export type Paged = {
  [N in Name]: Output<N> extends { nextCursor: string | null } ? N : never;
}[Name];

export type Api = { [N in Name]: (...args: Arguments<N>) => Promise<Output<N>> } & {
  /** Every page from the first (or `query.cursor`) to the last. */
  pages: <N extends Paged>(
    name: N,
    input: Input<N>,
    options?: CallOptions,
  ) => AsyncGenerator<Output<N>, void, undefined>;
};

type AnyInput = Record<string, unknown> & { query?: Record<string, unknown>; body?: unknown };

const { operations: OPERATIONS, schemas: SCHEMAS }: Description = described;

function idOf(input: AnyInput, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '') throw new TypeError(`\`${name}\` is needed.`);
  return value;
}

/** Every URL parser on the way takes `.` and `..` for another path, escaped or not. */
function segment(name: string, id: string): string {
  if (id === '.' || id === '..') throw new TypeError(`\`${name}\` is "${id}", which is no id.`);
  return encodeURIComponent(id);
}

/** The ids of an operation that stand in its query, or in its body where it has one. */
function idsOf({ ids = [] }: Described, input: AnyInput): Record<string, string> {
  return Object.fromEntries(ids.map((name) => [name, idOf(input, name)]));
}

const takesBody = ({ method }: Described): boolean => !['GET', 'DELETE'].includes(method);

function address(base: string, operation: Described, input: AnyInput): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, idOf(input, name)),
  );
  const query = new URLSearchParams(takesBody(operation) ? {} : idsOf(operation, input));
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const missing = operation.needs?.find((name) => !query.has(name));
  if (missing) throw new TypeError(`\`query.${missing}\` is needed.`);
  return `${base.replace(/\/+$/, '')}${path}${query.size ? `?${query}` : ''}`;
}

function bodyOf(operation: Described, input: AnyInput): unknown {
  if (!operation.ids || !takesBody(operation)) return input.body;
  return { ...(input.body as object | undefined), ...idsOf(operation, input) };
}

function headersOf(
  options: ApiOptions,
  operation: Described,
  hasBody: boolean,
): Record<string, string> {
  const key = operation.device
    ? options.serviceKey && { 'x-service-key': options.serviceKey }
    : options.apiKey && { 'x-api-key': options.apiKey };
  return {
    accept: 'application/json',
    ...(hasBody && { 'content-type': 'application/json' }),
    ...key,
  };
}

async function read(response: Response, operation: Described): Promise<unknown> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const wanted = operation.answers[String(response.status)];
  const text = await response.text();
  if (wanted === 'text') return text;
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new ContractError('The answer is not JSON.', response.status, requestId);
  }
  if (!response.ok) throw errorOf(response, body);
  if (wanted === undefined) {
    throw new ContractError(
      `Status ${response.status} is not declared.`,
      response.status,
      requestId,
    );
  }
  const fault = typeof wanted === 'object' && wanted ? findFault(body, wanted, SCHEMAS) : null;
  if (fault) {
    const where = `${operation.method} ${operation.path}`;
    throw new ContractError(
      `${where} answered what it has not declared: ${fault}.`,
      response.status,
      requestId,
    );
  }
  return wanted === null ? undefined : body;
}

async function attempt(
  options: ApiOptions,
  operation: Described,
  input: AnyInput,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const url = address(options.url, operation, input);
  const body = bodyOf(operation, input);
  const hasBody = body !== undefined;
  const late = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const send = options.fetch ?? globalThis.fetch;
  let response: Response;
  try {
    response = await send(url, {
      method: operation.method,
      headers: headersOf(options, operation, hasBody),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      credentials: options.apiKey || operation.device ? 'omit' : 'include',
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    return await read(response, operation);
  } catch (error) {
    if (error instanceof Error && ['ApiError', 'ContractError'].includes(error.name)) throw error;
    throw new ConnectionError(`${operation.method} ${operation.path} had no answer.`, {
      cause: error,
    });
  }
}

/** The type says of each method what `operations.json`, written with it, makes it check. */
function asApi(methods: Record<string, unknown>): Api {
  return methods as Api;
}

/**
 * A client with a method for every operation of the service. Answers are held against the schemas of
 * the service; an error answer throws `ApiError`, no answer `ConnectionError`, another one
 * `ContractError`.
 */
export function createApi(options: ApiOptions): Api {
  if (typeof options?.url !== 'string' || options.url === '') {
    throw new TypeError('`url` is needed: the address of the service.');
  }
  const call = (operation: Described, input: AnyInput = {}, { signal }: CallOptions = {}) => {
    address(options.url, operation, input);
    const repeatable = isRepeatable(operation, input.body);
    return withRetries(() => attempt(options, operation, input, signal), repeatable, signal);
  };
  const methods: Record<string, unknown> = Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [
      name,
      async (input?: AnyInput, callOptions?: CallOptions) => call(operation, input, callOptions),
    ]),
  );
  methods.pages = async function* pages(name: string, input: AnyInput, callOptions?: CallOptions) {
    const operation = OPERATIONS[name];
    if (!operation) throw new TypeError(`There is no operation "${name}".`);
    let cursor: unknown = input.query?.cursor;
    do {
      const query = { ...input.query, ...(cursor !== undefined && { cursor }) };
      const page = (await call(operation, { ...input, query }, callOptions)) as {
        nextCursor: unknown;
      };
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  };
  return asApi(methods);
}
