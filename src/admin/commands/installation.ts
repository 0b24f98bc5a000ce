import { Type } from '@sinclair/typebox';
import { importRatesFile } from '../../modules/sales/index.ts';
import { migrate } from '../../storage/migrate.ts';
import { defineCommand } from '../command.ts';

export const importRatesCommand = defineCommand({
  name: 'import rates',
  summary: "Import exchange rates from a file in the European Central Bank's history format",
  input: Type.Object({
    file: Type.String({ description: 'eurofxref-hist.csv, also as .zip or .gz' }),
  }),
  positionals: ['file'],
  run: async (ctx, { file }) => {
    const data = await importRatesFile(ctx, { path: file });
    const text = `${data.changed} rates are new or changed; the file holds ${data.firstDay} to ${data.lastDay}.`;
    return { data, text };
  },
});

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Apply the migrations that the database lacks',
  input: Type.Object({}),
  run: async ({ deps }) => {
    const applied = await migrate(deps.sql);
    return {
      data: { applied },
      text: applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.join(', ')}.`,
    };
  },
});
