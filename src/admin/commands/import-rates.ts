import { Type } from '@sinclair/typebox';
import { importRatesFile } from '../../modules/sales/index.ts';
import { defineCommand } from '../command.ts';

export const importRatesCommand = defineCommand({
  name: 'import rates',
  summary: "Take exchange rates from a file of the European Central Bank's history form",
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
