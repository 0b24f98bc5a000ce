import { dataDictionary } from '../src/analyst/columns.ts';

process.stdout.write(dataDictionary());
