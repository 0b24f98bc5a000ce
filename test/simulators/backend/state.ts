export type SimProject = {
  ref: string;
  name: string;
  organizationSlug: string;
  region: string;
  databasePassword: string;
  createdAt: Date;
  services: Record<string, { healthy: boolean; status: string }>;
};

export type BackendState = {
  token: string;
  organization: string;
  now: () => Date;
  projects: Map<string, SimProject>;
  /** An unknown project is 404 or 403: the documentation does not say which. */
  unknownProjectStatus: 404 | 403;
  limit: { requests: number; windowSeconds: number };
  used: { count: number; resetAt: Date } | null;
  /** Made but not yet found by search, as with an index that lags. */
  hiddenFromSearch: Set<string>;
};

export function createBackendState(
  token: string,
  organization: string,
  now: () => Date,
): BackendState {
  return {
    token,
    organization,
    now,
    projects: new Map(),
    unknownProjectStatus: 404,
    limit: { requests: 120, windowSeconds: 60 },
    used: null,
    hiddenFromSearch: new Set(),
  };
}

/** 20 lower-case letters, different each time. */
export function newRef(): string {
  const letters = crypto.getRandomValues(new Uint8Array(20));
  return [...letters].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

const COMING_UP = { healthy: false, status: 'COMING_UP' };

export function addProject(
  state: BackendState,
  fields: { name: string; region?: string; databasePassword?: string; ref?: string },
): SimProject {
  const project: SimProject = {
    ref: fields.ref ?? newRef(),
    name: fields.name,
    organizationSlug: state.organization,
    region: fields.region ?? 'us-east-1',
    databasePassword: fields.databasePassword ?? 'by-hand',
    createdAt: state.now(),
    services: { auth: COMING_UP, db: COMING_UP, rest: COMING_UP },
  };
  state.projects.set(project.ref, project);
  return project;
}

/** Every service of the project reports `status` from now on. */
export function setHealth(project: SimProject, status: 'ACTIVE_HEALTHY' | 'UNHEALTHY'): void {
  for (const name of Object.keys(project.services)) {
    project.services[name] = { healthy: status === 'ACTIVE_HEALTHY', status };
  }
}

/** Counts one request; this provider's reset header is the seconds that remain. */
export function countRequest(state: BackendState) {
  const now = state.now();
  if (!state.used || state.used.resetAt <= now) {
    const resetAt = new Date(now.getTime() + state.limit.windowSeconds * 1_000);
    state.used = { count: 0, resetAt };
  }
  state.used.count += 1;
  return {
    allowed: state.used.count <= state.limit.requests,
    headers: {
      'x-ratelimit-limit': String(state.limit.requests),
      'x-ratelimit-remaining': String(Math.max(0, state.limit.requests - state.used.count)),
      'x-ratelimit-reset': String(
        Math.ceil((state.used.resetAt.getTime() - now.getTime()) / 1_000),
      ),
    },
  };
}
