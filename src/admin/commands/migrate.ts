import { Type } from '@sinclair/typebox';
import { migrate } from '../../storage/migrate.ts';
import { defineCommand } from '../command.ts';

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
