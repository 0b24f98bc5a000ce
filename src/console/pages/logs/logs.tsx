import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { logs as t } from '../../texts/logs.ts';
import { Entries, Histogram, Nothing, OneEntry } from './entries.tsx';
import { entryOf, type Page as Found, type Level } from './entry.ts';
import { Asked, type Filters, Since, useFilters } from './filters.tsx';
import { LEVELS } from './levels.ts';

const PAGE_ENTRIES = 200;
const FOLLOW_SECONDS = 3;

function useEntries({ level, resource, env, q, range, before, follow }: Filters) {
  const known: Level | undefined = LEVELS.find((one) => one === level);
  return useQuery(
    `logs ${level} ${resource} ${env} ${q} ${range} ${before}`,
    (signal) => {
      const query = {
        since: Date.now() - Number(range),
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

/** It comes twice, so that none of its millisecond is left out. */
const beforeOf = (last: Record<string, unknown>): string =>
  String(Date.parse(entryOf(last).timestamp));

function Pages({ filters, found }: { filters: Filters; found: Found }) {
  const last = found.entries.at(-1);
  const hasMore = found.total > found.entries.length;
  if (!filters.before && !hasMore) return null;
  return (
    <div class="row log-pages">
      {filters.before && <Button onClick={() => filters.setBefore('')}>{t.newest}</Button>}
      {last && hasMore && (
        <Button onClick={() => filters.setBefore(beforeOf(last))}>{t.older}</Button>
      )}
    </div>
  );
}

function Shown({ filters, found }: { filters: Filters; found: Found }) {
  const [chosen, choose] = useSetting('entry', '');
  const entries = found.entries.map(entryOf);
  const entry = entries.find(({ id }) => id === chosen);
  if (entries.length === 0) {
    const isFiltered = Boolean(filters.q || filters.level || filters.resource || filters.env);
    return (
      <Card title={t.entries}>
        <Nothing isFiltered={isFiltered} />
      </Card>
    );
  }
  return (
    <div class={entry ? 'grid eight-four' : 'grid'}>
      <Card title={t.entries} sub={t.total(entries.length, found.total)} flush>
        <div class="log-histogram">
          <Histogram entries={entries} filters={filters} />
        </div>
        <Entries entries={entries} chosen={chosen} onChoose={choose} />
        <Pages filters={filters} found={found} />
      </Card>
      {entry && <OneEntry entry={entry} onClose={() => choose('')} />}
    </div>
  );
}

export function Logs() {
  const filters = useFilters();
  const found = useEntries(filters);
  const isFollowing = Boolean(filters.follow);
  return (
    <Page
      question={t.question}
      help="logs"
      toolbar={{
        left: <Asked filters={filters} found={found.value.data} />,
        right: (
          <>
            <Button
              icon={isFollowing ? icons.pause : icons.play}
              pressed={isFollowing}
              onClick={() => filters.setFollow(isFollowing ? '' : 'on')}
            >
              {isFollowing ? t.stop : t.tail}
            </Button>
            <Since filters={filters} />
          </>
        ),
      }}
      foot={isFollowing ? [t.following] : []}
    >
      <Loaded query={found}>
        {(page) => (
          <>
            {page.source === 'memory' && <p class="notice warn">{t.memory}</p>}
            {page.dropped > 0 && <p class="notice warn">{t.dropped(page.dropped)}</p>}
            <Shown filters={filters} found={page} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
