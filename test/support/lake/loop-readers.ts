import { renameSync, writeFileSync } from 'node:fs';
import { trinoEngine } from '../../../src/query/reading/lake/trino.ts';
import { documented } from './docs.ts';
import { findDuckDb, findPyIceberg } from './pyiceberg.ts';
import { findSpark } from './spark.ts';
import { findTrino } from './trino-install.ts';
import { startTrino } from './trino-server.ts';

/** What a reader found in a snapshot; every event has its number in its id. */
export type Scan = { snapshot: number; rows: number; different: number; sum: number };
export type Report = {
  /** The step of the scene in which it began. */
  began: number;
  now: Scan;
  /** Rows of people, rows of apps and aliases that were promised to be gone. */
  left: number[];
  /** The snapshot of the scan before, once more. */
  again: Scan | null;
};
export type Control = { step: number; people: string[]; apps: string[]; isOver: boolean };

type OnReport = (report: Report) => void;
/** Reads in a loop, with what the control file says, until that says it is over. */
export type Reader = (control: string, onReport: OnReport) => Promise<void>;
export type Lake = { uri: string; token: string; databaseUrl: string };

export function writeControl(path: string, control: Control): void {
  writeFileSync(`${path}.part`, JSON.stringify(control));
  renameSync(`${path}.part`, path);
}

const statementsOf = (table: (name: string, version: string) => string) => ({
  scan: `SELECT count(*), count(DISTINCT event_id), sum(CAST(substr(event_id, 7) AS BIGINT))
    FROM ${table('events', '{snapshot}')}`,
  left: `SELECT count(CASE WHEN person_id IN ({people}) OR user_id IN ({people})
      OR anonymous_id IN ({people}) THEN 1 END), count(CASE WHEN app_id IN ({apps}) THEN 1 END)
    FROM ${table('events', '{snapshot}')}`,
  aliases: `SELECT count(*) FROM lake.main.people WHERE user_id IN ({people})`,
});

/** The loop of readers in Python: `current()` names the snapshot, `scan` and `left` read it. */
const LOOP = `
import json
previous = None
while True:
    with open(CONTROL) as file:
        control = json.load(file)
    snapshot = current()
    found = scan(snapshot)
    report = {'began': control['step'], 'now': found, 'again': previous and scan(previous),
              'left': left(snapshot, control['people'] or [''], control['apps'] or [''])}
    print(json.dumps(report), flush=True)
    previous = snapshot
    if control['isOver']:
        break
`;

/** As Python: `ask(sql)` gives the one row of an answer. */
const inSql = (statements: ReturnType<typeof statementsOf>) => `
def quoted(ids):
    return ', '.join(f"'{each}'" for each in ids)
def scan(snapshot):
    rows, different, total = ask(${JSON.stringify(statements.scan)}.replace('{snapshot}', str(snapshot)))
    return {'snapshot': snapshot, 'rows': rows, 'different': different, 'sum': int(total)}
def left(snapshot, people, apps):
    of = lambda text: text.replace('{snapshot}', str(snapshot)).replace('{people}', quoted(people)).replace('{apps}', quoted(apps))
    return [*ask(of(${JSON.stringify(statements.left)})), *ask(of(${JSON.stringify(statements.aliases)}))]
`;

function inPython(python: string, script: string): Reader {
  return async (control, onReport) => {
    const child = Bun.spawn([python, '-c', `CONTROL = '${control}'\n${script}\n${LOOP}`], {
      ...{ stdout: 'pipe', stderr: 'pipe' },
    });
    const said = new Response(child.stderr).text();
    let rest = '';
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{')) onReport(JSON.parse(line));
    }
    if ((await child.exited) !== 0) throw new Error((await said).slice(-6_000));
  };
}

const pyIceberg = (python: string, { uri, token, databaseUrl }: Lake) =>
  inPython(
    python,
    `
import pyarrow.compute as pc
from pyiceberg.catalog import load_catalog
from pyiceberg.catalog.sql import SqlCatalog
catalogs = [
    load_catalog('lake', type='rest', uri='${uri}', token='${token}'),
    SqlCatalog('lake', uri='${databaseUrl.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:')}', init_catalog_tables='false'),
]
def current():
    # By HTTP and from PostgreSQL in turn.
    global lake, events
    catalogs.reverse()
    lake = catalogs[0]
    events = lake.load_table('main.events')
    return events.current_snapshot().snapshot_id
def rows_of(snapshot, *names):
    return events.scan(snapshot_id=snapshot, selected_fields=names).to_arrow()
def scan(snapshot):
    ids = rows_of(snapshot, 'event_id')['event_id'].to_pylist()
    return {'snapshot': snapshot, 'rows': len(ids), 'different': len(set(ids)), 'sum': sum(int(id[6:]) for id in ids)}
def left(snapshot, people, apps):
    rows = rows_of(snapshot, 'app_id', 'person_id', 'user_id', 'anonymous_id')
    gone = lambda name, ids: sum(each in set(ids) for each in rows[name].to_pylist())
    users = lake.load_table('main.people').scan(selected_fields=('user_id',)).to_arrow()['user_id'].to_pylist()
    return [sum(gone(name, people) for name in ('person_id', 'user_id', 'anonymous_id')), gone('app_id', apps), sum(each in people for each in users)]
`,
  );

export const EXTENSIONS = `
import duckdb, duckdb_extension_iceberg, glob, os
site = os.path.dirname(os.path.dirname(duckdb_extension_iceberg.__file__))
for name in ['avro', 'httpfs', 'iceberg', 'icu']:
    [path] = glob.glob(f'{site}/duckdb_extension_{name}/extensions/*/{name}.duckdb_extension')
    duckdb.sql(f"LOAD '{path}'")
`;

const duckDb = (python: string, { uri, token }: Lake) =>
  inPython(
    python,
    `${EXTENSIONS}
duckdb.sql("SET threads = 1")
duckdb.sql("CREATE SECRET lake (TYPE iceberg, TOKEN '${token}')")
duckdb.sql("ATTACH 'lake' AS lake (TYPE iceberg, ENDPOINT '${uri}', SECRET lake, DEFAULT_SCHEMA 'main')")
def ask(statement):
    return duckdb.sql(statement).fetchall()[0]
def current():
    return ask("SELECT max_by(snapshot_id, sequence_number) FROM iceberg_snapshots('lake.main.events')")[0]
${inSql(statementsOf((name, version) => `lake.main.${name} AT (VERSION => ${version})`))}`,
  );

const spark = (found: { python: string; jar: string }, { uri, token }: Lake) =>
  inPython(
    found.python,
    `
from pyspark.sql import SparkSession
settings = {'': 'org.apache.iceberg.spark.SparkCatalog', '.type': 'rest', '.uri': '${uri}', '.token': '${token}', '.cache-enabled': 'false'}
builder = SparkSession.builder.master('local[1]').config('spark.jars', '${found.jar}').config('spark.driver.memory', '1g')
builder = builder.config('spark.ui.enabled', 'false').config('spark.sql.shuffle.partitions', '1').config('spark.log.level', 'ERROR')
spark = builder.config(map={'spark.sql.catalog.lake' + key: value for key, value in settings.items()}).getOrCreate()
def ask(statement):
    return list(spark.sql(statement).collect()[0])
def current():
    return ask('SELECT snapshot_id FROM lake.main.events.snapshots ORDER BY committed_at DESC LIMIT 1')[0]
${inSql(statementsOf((name, version) => `lake.main.${name} VERSION AS OF ${version}`))}`,
  );

const NEVER = new AbortController().signal;
const quoted = (ids: string[]) => (ids.length > 0 ? ids : ['']).map((id) => `'${id}'`).join(', ');

export const openTrino = (url: string) =>
  trinoEngine(
    { baseUrl: url, user: 'test', password: undefined, catalog: 'lake', schema: 'main' },
    { timeoutMs: 300_000, maxRows: 1_000, maxBytes: 1_000_000 },
  );

const trino =
  (url: string): Reader =>
  async (path, onReport) => {
    const engine = openTrino(url);
    const statements = statementsOf((name, version) => `${name} FOR VERSION AS OF ${version}`);
    const ask = async (statement: string) =>
      ((await engine.run(statement, NEVER))[0] ?? []).map(Number);
    const scan = async (snapshot: number): Promise<Scan> => {
      const [rows = 0, different = 0, sum = 0] = await ask(
        statements.scan.replace('{snapshot}', String(snapshot)),
      );
      return { snapshot, rows, different, sum };
    };
    let previous: number | null = null;
    let isOver = false;
    while (!isOver) {
      const control: Control = await Bun.file(path).json();
      const [snapshot = 0] = await ask(
        'SELECT snapshot_id FROM "events$snapshots" ORDER BY committed_at DESC LIMIT 1',
      );
      const of = (statement: string) =>
        statement
          .replace('{snapshot}', String(snapshot))
          .replaceAll('{people}', quoted(control.people))
          .replaceAll('{apps}', quoted(control.apps));
      onReport({
        ...{ began: control.step, now: await scan(snapshot) },
        again: previous === null ? null : await scan(previous),
        left: [...(await ask(of(statements.left))), ...(await ask(of(statements.aliases)))],
      });
      previous = snapshot;
      isOver = control.isOver;
    }
  };

/** The catalogue file as it is documented, for files on a disk. */
function documentedCatalog({ uri, token }: Lake): Record<string, string> {
  const text = documented('Trino', 'properties')
    .replace('https://control-plane.example.com/v1/lake', uri)
    .replace(`\${ENV:LAKE_TOKEN}`, token);
  const lines = text.split('\n').map((line): [string, string] => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')];
  });
  return { ...Object.fromEntries(lines), 'fs.hadoop.enabled': 'true' };
}

/** The readers that this machine has; `stop` ends what was started for them. */
export async function findReaders(lake: Lake): Promise<{
  readers: Record<string, Reader | null>;
  trinoUrl: string | null;
  stop: () => Promise<void>;
}> {
  const python = await findPyIceberg();
  const duck = await findDuckDb();
  const sparkFound = await findSpark();
  const install = await findTrino();
  const server =
    install &&
    (await startTrino(install, {
      catalog: documentedCatalog(lake),
    }));
  return {
    readers: {
      PyIceberg: python === null ? null : pyIceberg(python, lake),
      DuckDB: duck === null ? null : duckDb(duck, lake),
      Spark: sparkFound && spark(sparkFound, lake),
      Trino: server && trino(server.url),
    },
    trinoUrl: server === null ? null : server.url,
    stop: async () => {
      await server?.stop();
    },
  };
}
