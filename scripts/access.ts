import { registeredRoutes } from '../src/app/routes.ts';
import { type Access, type AccessTable, accessTable } from '../src/http/access.ts';
import { LIMITS } from '../src/http/limits.ts';
import { tableOf } from './print/table.ts';

const HEAD = `# Access

Who may call each route, as the routes themselves declare it. \`bun scripts/access.ts > docs/access.md\` prints this page, and \`test/integration/access.test.ts\` compares it: a route whose access changes changes this page in the same commit.

- **caller**: \`session\` is a signed-in person, \`orgKey\` an organization key, \`device\` a publishable key. Without one, anybody calls; \`cronSecret\`, \`metricsToken\` and \`lakeToken\` are secrets of the operator.
- **scope**: the caller's organization, or its app \`:id\`. Whatever belongs to somebody else is answered as what never existed.
- **needs**: the permission that the caller holds, or one of the roles.
- **limit**: by name, the figures are below the table; \`(person)\` where anybody may call and who is signed in is counted as that person.
- **checked ids**: what must belong to the scope besides \`:id\`.

`;

const LIMITS_HEAD =
  'Limits count requests in a window of a minute. Beside those that a route names, use-cases and the guard take some themselves.';

function rowOf([route, access]: [string, Access]): string[] {
  const callers = access.who.length > 0 ? access.who : [access.secret ?? 'anybody'];
  const { limit, countedBySession } = access;
  return [
    `\`${route}\``,
    callers.join(', '),
    access.scope === 'none' ? '' : access.scope,
    access.permission ?? access.roles?.join(' or ') ?? '',
    limit === 'none' ? '' : `${limit}${countedBySession ? ' (person)' : ''}`,
    Object.keys(access.owns ?? {}).join(', '),
  ];
}

/** The page that shows who may call which route. */
export function accessPage(table: AccessTable): string {
  const routes = [
    ['route', 'caller', 'scope', 'needs', 'limit', 'checked ids'],
    ...Object.entries(table).map(rowOf),
  ];
  const limits = [
    ['limit', 'requests', 'counted by'],
    ...Object.entries(LIMITS).map(([name, { points, by }]) => [name, String(points), by]),
  ];
  return `${HEAD}${tableOf(routes)}\n\n${LIMITS_HEAD}\n\n${tableOf(limits)}\n`;
}

if (import.meta.main) {
  const routes = registeredRoutes({
    isReady: () => true,
    isHeld: () => false,
    stop: () => undefined,
  });
  process.stdout.write(accessPage(accessTable(routes)));
}
