import { status } from '@grpc/grpc-js';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { DAY_MS, SECOND_MS } from '../shared/time.ts';
import { SEARCH_ATTRIBUTE_NAMES } from './contracts/search-attributes.ts';
import { isRefusedForGood, findGrpcError, serverReason } from './server-reason.ts';

/** First with update-with-start and task queue statistics. */
const OLDEST_SERVER = { major: 1, minor: 28 };
const SHORTEST_RETENTION_MS = DAY_MS;
/** Temporal's IndexedValueType. */
const KEYWORD = 2;
/** Temporal's NamespaceState. */
const REGISTERED = 1;

/** `commands` remedy the lack. */
export type Lack = { reason: string; commands: string[]; attributes: string[] };

type Cluster = { connection: Connection; namespace: string };
type Described = Awaited<ReturnType<Connection['workflowService']['describeNamespace']>>;

function missingNamespace(namespace: string, reason: string): Lack {
  return {
    reason,
    commands: [`temporal operator namespace create --namespace ${namespace} --retention 72h`],
    attributes: [],
  };
}

/** Run ids of both installations would collide. */
export function sharedNamespace(namespace: string, installation: string): Lack {
  return {
    reason: `The Temporal namespace "${namespace}" is used by another installation (${installation}): give this one a TEMPORAL_NAMESPACE of its own. Workers of an installation that is gone disappear within two minutes.`,
    commands: [],
    attributes: [],
  };
}

function missingAttributes(namespace: string, names: string[]): Lack {
  const [first = '', ...others] = names;
  const named = others.length === 0 ? `attribute ${first}` : `attributes ${names.join(', ')}`;
  return {
    reason: `The namespace "${namespace}" has no search ${named} of the type Keyword.`,
    commands: names.map(
      (name) =>
        `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type Keyword`,
    ),
    attributes: names,
  };
}

function isTooOld(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const { major: leastMajor, minor: leastMinor } = OLDEST_SERVER;
  return Number(major) < leastMajor || (Number(major) === leastMajor && Number(minor) < leastMinor);
}

const ALIASED_KEYWORD = /^Keyword\d+$/;

/** Null when nothing tells. Each listing leaks a connection in a server with SQL visibility. */
async function keywords(
  { connection, namespace }: Cluster,
  { config }: Described,
): Promise<Set<string> | null> {
  const aliases = Object.entries(config?.customSearchAttributeAliases ?? {});
  const aliased = aliases.filter(([field]) => ALIASED_KEYWORD.test(field)).map(([, name]) => name);
  const known = new Set(aliased);
  if (Object.values(SEARCH_ATTRIBUTE_NAMES).every((name) => known.has(name))) return known;
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    const found = Object.entries(customAttributes ?? {}).filter(([, type]) => type === KEYWORD);
    return new Set(found.map(([name]) => name));
  } catch (thrown) {
    if (!isRefusedForGood(thrown)) throw thrown;
    return aliases.length === 0 ? null : known;
  }
}

/** Null when namespace and search attributes exist. Throws while Temporal is unavailable. */
export async function findLack(cluster: Cluster): Promise<Lack | null> {
  const { connection, namespace } = cluster;
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  if (isTooOld(serverVersion ?? '')) {
    const oldest = `${OLDEST_SERVER.major}.${OLDEST_SERVER.minor}`;
    const reason = `The Temporal server is ${serverVersion}, and ${oldest} is the oldest that works.`;
    return { reason, commands: [], attributes: [] };
  }
  let described: Described;
  try {
    described = await connection.workflowService.describeNamespace({ namespace });
  } catch (thrown) {
    if (!isGrpcServiceError(thrown) || thrown.code !== status.NOT_FOUND) throw thrown;
    return missingNamespace(namespace, serverReason(thrown));
  }
  if (described.namespaceInfo?.state !== REGISTERED) {
    return missingNamespace(namespace, `The namespace "${namespace}" is being deleted.`);
  }
  const known = await keywords(cluster, described);
  const missing = Object.values(SEARCH_ATTRIBUTE_NAMES).filter(
    (name) => known?.has(name) === false,
  );
  return missing.length === 0 ? null : missingAttributes(namespace, missing);
}

export async function makeMissing(cluster: Cluster, lack: Lack): Promise<Lack | null> {
  if (lack.attributes.length === 0) return lack;
  const { connection, namespace } = cluster;
  const searchAttributes = Object.fromEntries(lack.attributes.map((name) => [name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (thrown) {
    // Another process may have created them.
    if (findGrpcError(thrown)?.code === status.ALREADY_EXISTS) return null;
    return { ...lack, reason: `${lack.reason} They could not be created: ${serverReason(thrown)}` };
  }
  return null;
}

/** Histories would be gone after a day's absence. */
export async function hasShortRetention({ connection, namespace }: Cluster): Promise<boolean> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  return seconds > 0 && seconds * SECOND_MS < SHORTEST_RETENTION_MS;
}
