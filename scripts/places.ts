import { PLACES } from '../src/app/places.ts';
import { tableOf } from './print/table.ts';

const HEAD = `# Where people stand

Every place that can hold an id or words of a person, and what the erasure of a person, the deletion of the app or of the organization, and time do with it. \`bun scripts/places.ts > docs/places.md\` prints this page from the list by which the erasure works (\`src/app/places.ts\`), and \`test/integration/app/places.test.ts\` compares it, and fails for a column of the database that is neither here nor known to hold nothing about people.

`;

/** The page that shows every place. */
export function placesPage(): string {
  const rows = PLACES.map(({ place, columns = [], ...acts }) => [
    place,
    columns.join(', '),
    ...[acts.foundBy, acts.erasure, acts.exportedAs, acts.appDeletion],
    ...[acts.organizationDeletion, acts.kept],
  ]);
  const head = ['place', 'columns', 'found by', 'erasure', 'in the export', 'app deleted'];
  return `${HEAD}${tableOf([[...head, 'organization deleted', 'kept'], ...rows])}\n`;
}

if (import.meta.main) process.stdout.write(placesPage());
