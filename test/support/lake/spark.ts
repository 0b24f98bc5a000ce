import { findJar, findPython, succeeds } from './tools.ts';

const RUNTIME =
  'org/apache/iceberg/iceberg-spark-runtime-4.1_2.13/1.12.0/iceberg-spark-runtime-4.1_2.13-1.12.0.jar';

/** A Python that has Spark, with the library that lets it read Iceberg; null without, or without Java. */
export async function findSpark(): Promise<{ python: string; jar: string } | null> {
  if (!(await succeeds(['java', '-version']))) return null;
  const python = await findPython('pyspark-4.1.4', ['pyspark==4.1.4'], 'pyspark');
  const jar = python && (await findJar(RUNTIME));
  return python && jar ? { python, jar } : null;
}
