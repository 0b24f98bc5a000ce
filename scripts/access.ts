import { registeredRoutes } from '../src/app/routes.ts';
import { type Access, type AccessTable, accessTable } from '../src/http/access.ts';
import { LIMITS } from '../src/http/limits.ts';

const HEAD = `# Access

Who may call each route, as the routes themselves declare it. \`bun scripts/access.ts > docs/access.md\` prints this page, and \`test/integration/access.test.ts\` compares it: a route whose access changes changes this page in the same commit.

- **caller**: \`session\` is a signed-in person, \`orgKey\` an organization key, \`device\` a publishable key. Without one, anybody calls; \`cronSecret\` and \`metricsToken\` are secrets of the operator.
- **scope**: the caller's organization, or its app \`:id\`. Whatever belongs to somebody else is answered as what never existed.
- **needs**: the permission that the caller holds, or one of the roles.
- **limit**: by name, the figures are below the table; \`(person)\` where anybody may call and who is signed in is counted as that person.
- **checked ids**: what must belong to the scope besides \`:id\`.

| route | caller | scope | needs | limit | checked ids |
| ----- | ------ | ----- | ----- | ----- | ----------- |
`;

const LIMITS_HEAD = `Limits count requests in a window of a minute. Beside those that a route names, use-cases and the guard take some themselves.

| limit | requests | counted by |
| ----- | -------- | ---------- |
`;

function rowOf(route: string, access: Access): string {
  const callers = access.who.length > 0 ? access.who : [access.secret ?? 'anybody'];
  const needs = access.permission ?? access.roles?.join(' or ') ?? '';
  const cells = [
    `\`${route}\``,
    callers.join(', '),
    access.scope === 'none' ? '' : access.scope,
    needs,
    access.limit === 'none' ? '' : access.limit + (access.countedBySession ? ' (person)' : ''),
    Object.keys(access.owns ?? {}).join(', '),
  ];
  return `| ${cells.join(' | ')} |`.replaceAll(/ +/g, ' ');
}

/** The page that shows who may call which route. */
export function accessPage(table: AccessTable): string {
  const rows = Object.entries(table).map(([route, access]) => rowOf(route, access));
  const limits = Object.entries(LIMITS).map(
    ([name, { points, by }]) => `| ${name} | ${points} | ${by} |`,
  );
  return `${HEAD}${rows.join('\n')}\n\n${LIMITS_HEAD}${limits.join('\n')}\n`;
}

if (import.meta.main) {
  const routes = await registeredRoutes({ isReady: () => true, stop: () => undefined });
  process.stdout.write(accessPage(accessTable(routes)));
}
