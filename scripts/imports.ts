import { IMPORT_RULES, type ImportRule } from '../test/support/import-rules.ts';
import { tableOf } from './print/table.ts';

const HEAD = `# Imports

Which file may import which, from the top of the stack to its bottom; the first row that fits a file holds. \`bun scripts/imports.ts > docs/imports.md\` prints this page from \`test/support/import-rules.ts\`, and \`test/unit/tidy.test.ts\` holds both the page and the code to it. A folder may always import itself. No circle is allowed, by values or by types: not of folders, not of the rooms in a folder, not of files.

`;

const list = (globs: readonly string[]) => globs.map((glob) => `\`${glob}\``).join(', ');

function rowOf({ from, ours, not, packages, types, because }: ImportRule): string[] {
  const may = [
    ours.length > 0 ? list(ours) : 'nothing',
    not && `not ${list(not)}`,
    types && `as types ${list(types)}`,
    packages && `of packages ${list(packages)}`,
  ];
  return [list(from), may.filter((part) => part !== undefined).join('; '), because];
}

/** The page that shows who may import what. */
export function importsPage(rules: readonly ImportRule[] = IMPORT_RULES): string {
  return `${HEAD}${tableOf([['files', 'may import', 'because'], ...rules.map(rowOf)])}\n`;
}

if (import.meta.main) process.stdout.write(importsPage());
