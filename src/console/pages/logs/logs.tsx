import { whenExactly } from '../../format.ts';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { logs as t } from '../../texts/logs.ts';
import { type Entry, entryOf, type Page as Found, type Level } from './entry.ts';

const PAGE_ENTRIES = 100;
/** Twenty a minute leave room for what else is on the screen. */
const FOLLOW_SECONDS = 3;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const RANGES = ['900000', '3600000', '86400000', '604800000', '2592000000'] as const;
const DAY: (typeof RANGES)[number] = '86400000';
const COLORS: Record<string, string> = { fatal: 'bad', error: 'bad', warn: 'warning' };
const LEVEL_OPTIONS = [
  ['', t.levels.all],
  ...LEVELS.map((level) => [level, t.levels[level]] as const),
] as const;
const RANGE_OPTIONS = RANGES.map((ms) => [ms, t.ranges[ms]] as const);

const optionsOf = (all: string, values: readonly string[]) =>
  [['', all], ...values.map((value) => [value, value] as const)] as const;

/** What is looked for, as it stands in the address. */
function useFilters() {
  const [level, setLevel] = useSetting('level', '');
  const [resource, setService] = useSetting('service', '');
  const [env, setEnv] = useSetting('env', '');
  const [q, setQ] = useSetting('q', '');
  const [range, setRange] = useSetting('last', DAY);
  const [before, setBefore] = useSetting('before', '');
  const [follow, setFollow] = useSetting('follow', '');
  return {
    ...{ level, setLevel, resource, setService, env, setEnv, q, setQ, range, setRange },
    ...{ before, setBefore, follow, setFollow },
  };
}
type Filters = ReturnType<typeof useFilters>;

function useEntries({ level, resource, env, q, range, before, follow }: Filters) {
  const known: Level | undefined = LEVELS.find((one) => one === level);
  const rangeMs = Number(RANGES.find((ms) => ms === range) ?? DAY);
  return useQuery(
    `logs ${level} ${resource} ${env} ${q} ${range} ${before}`,
    (signal) => {
      const query = {
        since: Date.now() - rangeMs,
        limit: PAGE_ENTRIES,
        ...(known && { level: known }),
        ...(resource && { resource }),
        ...(env && { env }),
        ...(q && { q }),
        ...(before && { until: Number(before) }),
      };
      return api.listLogs({ query }, { signal });
    },
    { everySeconds: follow ? FOLLOW_SECONDS : undefined },
  );
}

function Settings({ filters, found }: { filters: Filters; found: Found | undefined }) {
  const { resources = [], envs = [] } = found ?? {};
  return (
    <>
      <div class="row spaced">
        <Choice
          label={t.level}
          name="level"
          hideLabel
          options={LEVEL_OPTIONS}
          value={LEVELS.find((one) => one === filters.level) ?? ''}
          onChange={filters.setLevel}
        />
        <Choice
          label={t.service}
          name="service"
          hideLabel
          options={optionsOf(t.allServices, resources)}
          value={filters.resource}
          onChange={filters.setService}
        />
        <Choice
          label={t.env}
          name="env"
          hideLabel
          options={optionsOf(t.allEnvs, envs)}
          value={filters.env}
          onChange={filters.setEnv}
        />
        <Choice
          label={t.range}
          name="range"
          hideLabel
          options={RANGE_OPTIONS}
          value={RANGES.find((ms) => ms === filters.range) ?? DAY}
          onChange={filters.setRange}
        />
        <button type="button" onClick={() => filters.setFollow(filters.follow ? '' : 'on')}>
          {filters.follow ? t.stop : t.tail}
        </button>
        {filters.follow && <span class="quiet">{t.following}</span>}
      </div>
      <Form
        key={filters.q}
        button={t.find}
        done=" "
        onSubmit={async (fields) => filters.setQ(fields.get('q').trim())}
      >
        <Field
          label={t.search}
          name="q"
          hint={t.searchHint}
          value={filters.q}
          maxLength={500}
          optional
        />
      </Form>
    </>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <Table
      caption={t.title}
      rows={entries}
      keyOf={({ id }) => id}
      csvName="logs"
      columns={[
        {
          label: t.time,
          show: ({ timestamp }) => <time dateTime={timestamp}>{whenExactly(timestamp)}</time>,
          plain: ({ timestamp }) => timestamp,
        },
        {
          label: t.level,
          show: ({ level }) => <strong class={COLORS[level] ?? 'quiet'}>{level}</strong>,
          plain: ({ level }) => level,
        },
        { label: t.service, show: ({ service }) => service },
        { label: t.message, show: ({ message }) => message },
        {
          label: t.fields,
          show: ({ fields }) =>
            fields && (
              <details>
                <summary class="quiet">{t.fields}</summary>
                <pre class="wrapped">{fields}</pre>
              </details>
            ),
          plain: ({ fields }) => fields,
        },
      ]}
    />
  );
}

export function Logs() {
  const filters = useFilters();
  const found = useEntries(filters);
  return (
    <Page title={t.title} question={t.question} help="logs">
      <Settings filters={filters} found={found.value.data} />
      <Loaded query={found}>
        {({ entries, total, source, dropped }) => (
          <>
            {source === 'memory' && <p class="notice warning">{t.memory}</p>}
            {dropped > 0 && <p class="notice warning">{t.dropped(dropped)}</p>}
            {entries.length === 0 ? (
              <Nothing isFiltered={Boolean(filters.q || filters.level || filters.resource)} />
            ) : (
              <>
                <Entries entries={entries.map(entryOf)} />
                <p class="quiet">{t.total(entries.length, total)}</p>
              </>
            )}
            <Pages filters={filters} last={entries.at(-1)} more={total > entries.length} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p>{t.none}</p>;
  const body = '{"level":"warn","message":"Report took 4 s"}';
  return (
    <>
      <p>{t.noneEver}</p>
      <pre class="wrapped">
        {`curl ${location.origin}/v1/logs -H 'x-api-key: svk_…' -H 'content-type: application/json' \\\n  -d '${body}'`}
      </pre>
    </>
  );
}

function Pages(props: {
  filters: Filters;
  last: Record<string, unknown> | undefined;
  more: boolean;
}) {
  const { filters, last } = props;
  return (
    <div class="row">
      {filters.before && (
        <button type="button" onClick={() => filters.setBefore('')}>
          {t.newest}
        </button>
      )}
      {last && props.more && (
        <button
          type="button"
          // From the last one on, which comes twice: of those in its millisecond none is left out.
          onClick={() => filters.setBefore(String(Date.parse(entryOf(last).timestamp)))}
        >
          {t.older}
        </button>
      )}
    </div>
  );
}
