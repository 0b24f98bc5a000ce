import { operationsOf as listed, type Operation } from './openapi.ts';
import { randomFrom } from './random.ts';
import { isFullRun } from './random.ts';

export type Person = { email: string; password: string; cookie: string };
export type SpareApp = { id: string; slug: string };
export type Founder = { person: Person; slug: string };
export type RunningExperiment = { id: string; armId: string };
export type Delivery = { webhookId: string; deliveryId: string };
export type Invitation = { id: string; email: string; person: Person };

/** An organization whose things a flood asks for, changes and deletes. */
export type Tenant = {
  orgId: string;
  owner: Person;
  apiKey: string;
  appId: string;
  device: string;
  flagKey: string;
  /** By the parameter of a path that names them: what was made and not yet taken away. */
  ids: Map<string, string[]>;
  running: RunningExperiment[];
  deliveries: Delivery[];
  apps: SpareApp[];
  invitations: Invitation[];
  joined: Person[];
};

/** An account with a second factor, begun or on. */
export type Guarded = { person: Person; secret: string; codes: string[] };

/** What nobody but the flood needs: accounts without an organization, and those with their own. */
export type Spare = {
  people: Person[];
  founders: Founder[];
  /** Who has asked for a new password. */
  forgetful: Person[];
  begun: Guarded[];
  guarded: Guarded[];
};

export type Service = {
  url: string;
  cronSecret: string;
  /** What connects the simulated account of the store. */
  storeKey: object;
  /** The secret in the last mail to this address that has one of this form. */
  mailed: (address: string, secret: RegExp) => string | undefined;
};

export type Told = {
  status: number;
  retryAfter: string | null;
  cookie: string;
  body: any;
  /** Why nothing came. */
  fault: string;
};

/** Proxies and clients give up after 30 s; a machine that is busy with other tests takes longer. */
const ANSWER_LIMIT_MS = isFullRun ? 30_000 : 120_000;

export type Asked = {
  operationId: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** Keeps what the answer made, for later requests. */
  learn: (told: Told) => void;
};

export async function ask(url: string, asked: Asked): Promise<Told> {
  const { method, path, headers, body } = asked;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    const told = {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      cookie: pairs.filter((pair) => !pair.endsWith('=')).join('; '),
      body: isJson && text !== '' ? JSON.parse(text) : text,
      fault: '',
    };
    if (told.status < 300) asked.learn(told);
    return told;
  } catch (error) {
    return { status: 0, retryAfter: null, cookie: '', body: '', fault: String(error) };
  }
}

/** What a service says that it can do, and everything that the flood has made there. */
export class FloodWorld {
  readonly spare: Spare = {
    ...{ people: [], founders: [], forgetful: [] },
    ...{ begun: [], guarded: [] },
  };
  readonly random: () => number;

  private constructor(
    readonly service: Service,
    readonly operations: readonly Operation[],
    seed: number,
  ) {
    this.random = randomFrom(seed);
  }

  static async of(service: Service, seed: number): Promise<FloodWorld> {
    const answer = await fetch(`${service.url}/openapi.json`);
    return new FloodWorld(service, listed((await answer.json()) as any), seed);
  }

  pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.random() * all.length)];
  }

  take<T>(all: T[]): T | undefined {
    return all.splice(Math.floor(this.random() * all.length), 1)[0];
  }
}
