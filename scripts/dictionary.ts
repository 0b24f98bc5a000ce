import { dataDictionary } from '../src/modules/sql/views.ts';

process.stdout.write(dataDictionary());
