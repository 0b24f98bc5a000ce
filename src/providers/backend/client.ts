import { Type } from '@sinclair/typebox';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { createProviderHttp, type ProviderHttp } from '../../shared/provider-http.ts';
import type { ProviderRateLimit } from '../../shared/provider-rate-limit.ts';
import { parser } from '../../shared/schema.ts';
import type { Clock } from '../../shared/time.ts';
import { backendReason, secondsRemaining, toHealth, toProject } from './map.ts';
import type { BackendProject, BackendProvider, NewBackendProject } from './port.ts';

const Ref = Type.String({ pattern: '^[a-z]{20}$' });

const projectAnswer = parser(Type.Object({ ref: Ref, name: Type.String() }), 'backend project');

const projectsAnswer = parser(
  Type.Object({ projects: Type.Array(Type.Object({ ref: Ref, name: Type.String() })) }),
  'backend projects of the organization',
);

const healthAnswer = parser(
  Type.Array(Type.Object({ name: Type.String(), healthy: Type.Boolean(), status: Type.String() }), {
    minItems: 1,
  }),
  'backend health',
);

export type BackendProviderOptions = {
  baseUrl: string;
  /** Personal or OAuth access token. */
  token: string;
  organization: string;
  gate: ProviderRateLimit;
  clock: Clock;
  timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
const CONCURRENT_REQUESTS = 4;
const MOST_FOUND = 100;
const SERVICES = ['auth', 'db', 'rest'];

export function createBackendProvider(options: BackendProviderOptions): BackendProvider {
  const http = createProviderHttp({
    provider: 'backend',
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${options.token}` },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    gate: options.gate,
    limit: limitConcurrency(CONCURRENT_REQUESTS),
    clock: options.clock,
    resetInSeconds: secondsRemaining,
    isOwnRefusal: (_status, body) => backendReason(body) !== null,
    reasonOf: backendReason,
  });
  return {
    createProject: (project) => createProject(http, options.organization, project),
    readProject: (ref) => readProject(http, ref),
    findProjects: async (name) => {
      const path = `/v1/organizations/${encodeURIComponent(options.organization)}/projects`;
      const query = { search: name, limit: String(MOST_FOUND) };
      const { projects } = await http({ method: 'GET', path, query }, projectsAnswer);
      return projects.filter((project) => project.name === name).map(toProject);
    },
    readHealth: async (ref) => {
      const path = `/v1/projects/${encodeURIComponent(ref)}/health`;
      const query = { services: SERVICES };
      return toHealth(await http({ method: 'GET', path, query }, healthAnswer));
    },
  };
}

async function createProject(
  http: ProviderHttp,
  organization: string,
  project: NewBackendProject,
): Promise<BackendProject> {
  const json = {
    name: project.name,
    organization_slug: organization,
    db_pass: project.databasePassword,
    region_selection: { type: 'specific', code: project.region },
  };
  return toProject(await http({ method: 'POST', path: '/v1/projects', json }, projectAnswer));
}

async function readProject(http: ProviderHttp, ref: string): Promise<BackendProject | null> {
  try {
    const path = `/v1/projects/${encodeURIComponent(ref)}`;
    const project = await http({ method: 'GET', path }, projectAnswer);
    if (project.ref !== ref) {
      throw new ProviderError('malformed', 'backend answered with another project.');
    }
    return toProject(project);
  } catch (thrown) {
    // Unknown projects: the status is undocumented, 403 or 404.
    const isMissing =
      thrown instanceof ProviderError && ['not_found', 'forbidden'].includes(thrown.failure);
    if (isMissing) return null;
    throw thrown;
  }
}
