import type { Deps, SystemContext } from '../../context.ts';
import type { BackendProject, BackendProvider } from '../../providers/backend/port.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type * as contracts from '../../temporal/contracts/backend.ts';
import { selectApp } from '../apps/index.ts';
import { PASSWORD_PURPOSE } from './claim.ts';
import { ANOTHER_APP, orRefusal, refusal, rejection } from './outcome.ts';
import * as queries from './queries.ts';

const NOT_CONFIGURED = refusal('provider_not_configured', 'Set BACKEND_API_URL on the server.');

function connectedTo({
  ref,
  url,
}: Pick<BackendProject, 'ref' | 'url'>): contracts.BackendConnected {
  return { kind: 'connected', projectRef: ref, url };
}

export async function readBackend(
  { deps }: SystemContext<'sql'>,
  input: contracts.BackendRunInput,
): Promise<contracts.BackendKnown> {
  const record = await queries.selectOfApp(deps.sql, input);
  if (!record) return { kind: 'none' };
  const { projectRef, url, health } = record;
  if (projectRef !== null) {
    return { kind: 'connected', projectRef, url, isHealthy: health === 'healthy' };
  }
  return { kind: record.attemptedAt === null ? 'none' : 'uncertain' };
}

async function saveCreated(
  deps: Pick<Deps, 'clock' | 'sql'>,
  input: contracts.BackendRunInput,
  project: BackendProject,
) {
  const { ref, url } = project;
  await deps.sql.begin((tx) => queries.saveMade(tx, input, { ref, url, now: deps.clock() }));
  return connectedTo(project);
}

/** No second creation before a search has found nothing. */
export async function createBackend(
  { deps }: SystemContext<'backendProvider' | 'clock' | 'log' | 'secrets' | 'sql'>,
  input: contracts.BackendRunInput,
): Promise<contracts.BackendCreation> {
  const provider = deps.backendProvider;
  const app = await selectApp(deps.sql, input.orgId, input.appId);
  const record = await queries.selectOfApp(deps.sql, input);
  if (!provider) return NOT_CONFIGURED;
  if (!app || !record?.sealedPassword) return refusal('not_found', '');
  const databasePassword = deps.secrets.open(
    { orgId: input.orgId, purpose: PASSWORD_PURPOSE },
    record.sealedPassword,
  );
  if (!(await queries.noteAttempt(deps.sql, input, deps.clock()))) return { kind: 'unknown' };
  try {
    const { name } = record;
    const { region } = app;
    const project = await provider.createProject({ name, region, databasePassword });
    return await saveCreated(deps, input, project);
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    deps.log.warn({ err: thrown, appId: input.appId }, 'backend project could not be created');
    if (thrown.outcomeUnknown) return { kind: 'unknown' };
    await queries.deleteRefused(deps.sql, input);
    return rejection(thrown);
  }
}

/** `none` without a project, null without an answer. */
async function findByName(
  { deps }: SystemContext<'log'>,
  provider: BackendProvider,
  name: string,
): Promise<BackendProject | 'none' | null> {
  const projects = await orRefusal(() => provider.findProjects(name));
  if (!Array.isArray(projects)) return null;
  if (projects.length > 1) {
    deps.log.error({ name, count: projects.length }, 'backend projects share a name');
  }
  return projects[0] ?? 'none';
}

/** For a creation without an answer; null until found. */
export async function searchBackend(
  ctx: SystemContext<'backendProvider' | 'clock' | 'log' | 'sql'>,
  input: contracts.BackendRunInput,
): Promise<contracts.BackendOutcome | null> {
  const provider = ctx.deps.backendProvider;
  const record = await queries.selectOfApp(ctx.deps.sql, input);
  if (!record) return refusal('not_found', '');
  if (record.projectRef !== null) {
    return connectedTo({ ref: record.projectRef, url: record.url });
  }
  const project = provider && (await findByName(ctx, provider, record.name));
  return project && project !== 'none' ? saveCreated(ctx.deps, input, project) : null;
}

/** Just under the ten minutes of its run. */
const SEARCHED_FOR_MS = 9 * MINUTE_MS;

/** Ends the search, so that the project can be created again. */
export async function releaseBackend(
  ctx: SystemContext<'backendProvider' | 'clock' | 'log' | 'sql'>,
  input: contracts.BackendRunInput,
): Promise<void> {
  const provider = ctx.deps.backendProvider;
  const record = await queries.selectOfApp(ctx.deps.sql, input);
  if (!provider || !record || record.projectRef !== null || record.attemptedAt === null) return;
  // An earlier creation may not be listed yet.
  if (ctx.deps.clock().getTime() - record.attemptedAt.getTime() < SEARCHED_FOR_MS) return;
  const project = await findByName(ctx, provider, record.name);
  if (project === 'none') await queries.deleteRefused(ctx.deps.sql, input);
  else if (project) await saveCreated(ctx.deps, input, project);
}

export async function attachBackend(
  { deps }: SystemContext<'backendProvider' | 'clock' | 'sql'>,
  input: contracts.BackendRunInput & { projectRef: string },
): Promise<contracts.BackendOutcome> {
  const provider = deps.backendProvider;
  if (!provider) return NOT_CONFIGURED;
  const projectRef = await queries.selectWantedRef(deps.sql, input);
  if (projectRef !== input.projectRef) return refusal('not_found', '');
  const project = await orRefusal(() => provider.readProject(projectRef));
  if (project === null) return refusal('not_found', '');
  if ('kind' in project) return project;
  const { ref, url } = project;
  const isOurs = await deps.sql.begin((tx) =>
    queries.saveAttached(tx, input, { ref, url, now: deps.clock() }),
  );
  return isOurs ? connectedTo(project) : refusal('conflict', ANOTHER_APP);
}

export async function checkBackend(
  { deps }: SystemContext<'backendProvider' | 'clock' | 'sql'>,
  input: contracts.BackendRunInput,
): Promise<void> {
  const provider = deps.backendProvider;
  const record = await queries.selectOfApp(deps.sql, input);
  const ref = record?.projectRef;
  if (!provider || !ref) return;
  const health = await orRefusal(() => provider.readHealth(ref));
  if (typeof health === 'string') await queries.saveHealth(deps.sql, input, health, deps.clock());
}
