export type Readable = {
  /** In lower case. */
  views: readonly string[];
  /** Tables behind the views. */
  hidden: readonly string[];
};

type Node = { readonly [key: string]: unknown };

const TABLE_FUNCTIONS = ['generate_series', 'json_each', 'json_tree', 'range', 'unnest'];
/** About the process or the configuration rather than the data. */
const REFUSED_FUNCTIONS = [
  ...['checkpoint', 'current_setting', 'force_checkpoint', 'getenv', 'getvariable'],
  ...['nextval', 'set_config', 'txid_current', 'write_log'],
];
const TABLES = ['EMPTY', 'EXPRESSION_LIST', 'JOIN', 'PIVOT', 'SUBQUERY'];
/** A replacement scan would take a name with a dot or a slash for a file. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_$ ]*$/u;

/** DuckDB's catalogue. */
export const OF_CATALOGUE = /^(duckdb|pg|pragma|sqlite)_/;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

function* nodesOf(value: unknown): Generator<Node> {
  const waiting = [value].filter(isNode);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const below of Object.values(node)) if (isNode(below)) waiting.push(below);
  }
}

function namesGiven(tree: unknown): string[] {
  return [...nodesOf(tree)].flatMap(({ cte_map: given }) => {
    const { map } = isNode(given) ? given : { map: [] };
    return Array.isArray(map)
      ? map.map((entry: unknown) => (isNode(entry) ? textOf(entry.key) : ''))
      : [];
  });
}

function refusalOfTable(
  node: Node,
  names: ReadonlySet<string>,
  views: readonly string[],
): string | null {
  const isElsewhere = textOf(node.schema_name) !== '' || textOf(node.catalog_name) !== '';
  if (!isElsewhere && names.has(textOf(node.table_name))) return null;
  const name = [node.catalog_name, node.schema_name, node.table_name].filter(Boolean).join('.');
  return `there is no view "${name}"; there are ${views.join(', ')}`;
}

function refusalOfFunction(node: Node): string | null {
  const called = isNode(node.function) ? textOf(node.function.function_name) : '';
  if (TABLE_FUNCTIONS.includes(called)) return null;
  return `"${called}" cannot be read from; ask the views`;
}

function refusalOfNode(
  node: Node,
  names: ReadonlySet<string>,
  views: readonly string[],
): string | null {
  if (node.class === 'FUNCTION') {
    const called = textOf(node.function_name);
    return REFUSED_FUNCTIONS.includes(called) ? `"${called}" cannot be asked` : null;
  }
  if (node.type === 'BASE_TABLE') return refusalOfTable(node, names, views);
  if (node.type === 'TABLE_FUNCTION') return refusalOfFunction(node);
  if (node.type === 'SHOW_REF') {
    return textOf(node.table_name) === '' ? null : 'only views can be described';
  }
  // Every reference to a table has a sample, or none.
  const isTable = 'sample' in node && 'alias' in node && !('select_list' in node);
  if (isTable && !TABLES.includes(String(node.type))) return `${node.type} cannot be read from`;
  return null;
}

/** Checks a tree of `json_serialize_sql`; null when it reads views only. */
export function refusalOf(tree: unknown, { views, hidden }: Readable): string | null {
  const given = namesGiven(tree);
  const odd = given.find(
    (name) => !PLAIN_NAME.test(name) || OF_CATALOGUE.test(name) || hidden.includes(name),
  );
  if (odd !== undefined) return `"${odd}" cannot be the name of a part`;
  const names = new Set([...views, ...given]);
  for (const node of nodesOf(tree)) {
    const refusal = refusalOfNode(node, names, views);
    if (refusal !== null) return refusal;
  }
  return null;
}
