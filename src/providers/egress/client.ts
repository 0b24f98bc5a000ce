import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { isPublicAddress } from './address.ts';
import {
  type Egress,
  type EgressAnswer,
  EgressError,
  type EgressQuestion,
  type EgressReply,
} from './port.ts';
import { firstReachable } from './reachable.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_URL_CHARACTERS = 2_048;

type Resolve = (hostname: string) => Promise<string[]>;

export type EgressOptions = {
  /** Allowed private `host:port` pairs, also over http. */
  allow: readonly string[];
  resolve?: Resolve;
  ca?: string;
  timeoutMs?: number;
};

const resolveByDns: Resolve = async (hostname) => {
  const entries = await lookup(hostname, { all: true, verbatim: true });
  return entries.map(({ address }) => address);
};

type Target = { url: URL; hostname: string; port: number; allowed: boolean };

function forbidden(why: string): EgressError {
  return new EgressError('forbidden', why);
}

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

function readTarget(text: string, allow: ReadonlySet<string>): Target {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text)) {
    throw forbidden('The address is not a URL.');
  }
  const url = new URL(text);
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443));
  const hostname = bareHost(url);
  const allowed = allow.has(`${hostname}:${port}`) || allow.has(`${url.hostname}:${port}`);
  const secure = url.protocol === 'https:' || (allowed && url.protocol === 'http:');
  if (!secure) {
    throw forbidden(
      `The address must begin with https://. For development EGRESS_ALLOW=${url.hostname}:${port} permits this one.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw forbidden('The address must not carry a user name or password.');
  }
  if (isIP(hostname) !== 0 && !allowed && !isPublicAddress(hostname)) {
    throw forbidden('The address is not on the public internet.');
  }
  return { url, hostname, port, allowed };
}

async function resolveAddress(
  target: Target,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string> {
  const addresses =
    isIP(target.hostname) === 0 ? await resolved(target.hostname, resolve) : [target.hostname];
  const [first, second] = addresses;
  const isPublic = target.allowed || addresses.every(isPublicAddress);
  if (first === undefined || !isPublic) throw unreachable();
  return second === undefined ? first : firstReachable(addresses, { port: target.port, signal });
}

/** Webhooks must not reveal internal names. */
function unreachable(cause?: unknown): EgressError {
  return new EgressError(
    'network',
    'The name resolves to no address on the public internet.',
    cause,
  );
}

async function resolved(hostname: string, resolve: Resolve): Promise<string[]> {
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw unreachable(cause);
  }
}

/** Connects to the checked address, against DNS rebinding. */
function open(
  target: Target,
  address: string,
  { method, headers, body }: EgressQuestion,
  options: EgressOptions,
): ClientRequest {
  const secure = target.url.protocol === 'https:';
  const common = {
    method,
    host: address,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    headers: {
      ...headers,
      host: target.url.host,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    agent: false as const,
  };
  if (!secure) return requestHttp(common);
  return requestHttps({
    ...common,
    ...(isIP(target.hostname) === 0 ? { servername: target.hostname } : {}),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
}

/** Seconds only; no known receiver sends dates. */
function retryAfter(header: string | undefined): Pick<EgressAnswer, 'retryAfterSeconds'> {
  const seconds = Math.ceil(Number(header ?? Number.NaN));
  if (Number.isNaN(seconds) || seconds < 0) return {};
  return { retryAfterSeconds: Math.min(seconds, MAX_RETRY_AFTER_SECONDS) };
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const named = Object.entries(incoming.headers);
  return Object.fromEntries(
    named.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function exchange(
  outgoing: ClientRequest,
  { body, readsText }: { body: string | undefined; readsText: boolean },
): Promise<EgressReply> {
  return new Promise((resolve, reject) => {
    outgoing.once('error', (cause) => {
      reject(new EgressError('network', `The exchange broke off: ${errorMessage(cause)}`, cause));
    });
    outgoing.once('response', (incoming) => {
      const status = incoming.statusCode ?? 0;
      if (status >= 300 && status < 400) {
        reject(new EgressError('redirect', `The address answered ${status}, a redirect.`));
        return;
      }
      const answer = {
        status,
        headers: headersOf(incoming),
        ...retryAfter(incoming.headers['retry-after']),
      };
      if (!readsText) {
        resolve({ ...answer, text: '' });
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > MAX_BYTES) reject(new EgressError('too_large', 'The answer is over 64 KB.'));
      });
      incoming.once('end', () =>
        resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8') }),
      );
      incoming.once('error', (cause) => {
        reject(new EgressError('network', 'The answer was cut off.', cause));
      });
    });
    outgoing.end(body);
  });
}

export function createEgress(options: EgressOptions): Egress {
  const allow = new Set(options.allow);
  const resolve = options.resolve ?? resolveByDns;
  const send = async (question: EgressQuestion, readsText: boolean): Promise<EgressReply> => {
    const target = readTarget(question.url, allow);
    if (Buffer.byteLength(question.body ?? '') > MAX_BYTES) {
      throw new EgressError('too_large', 'The body is over 64 KB.');
    }
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    let outgoing: ClientRequest | undefined;
    const ended = new AbortController();
    const work = async () => {
      const address = await resolveAddress(target, resolve, ended.signal);
      outgoing = open(target, address, question, options);
      return exchange(outgoing, { body: question.body, readsText });
    };
    try {
      return await withTimeout(work(), timeoutMs, () => {
        throw new EgressError('timeout', `No answer within ${timeoutMs} ms.`);
      });
    } catch (thrown) {
      if (thrown instanceof EgressError) throw thrown;
      throw new EgressError(
        'network',
        `The address cannot be reached: ${errorMessage(thrown)}`,
        thrown,
      );
    } finally {
      ended.abort();
      outgoing?.destroy();
    }
  };
  return {
    check: (url) => {
      readTarget(url, allow);
    },
    ask: (question) => send(question, true),
    post: async (request) => {
      const { headers: _, text: __, ...answer } = await send({ ...request, method: 'POST' }, false);
      return answer;
    },
  };
}
