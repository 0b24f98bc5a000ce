import { useSignal } from '@preact/signals';
import { ago, calendarDay, exactNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { CursorPagination } from '../../parts/pagination.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { storefront as t } from '../../texts/storefront.ts';

const mean = (value: number | null) => value?.toFixed(1) ?? null;

export function ReviewVersions({ appId }: { appId: string }) {
  const summary = useQuery(`review summary ${appId}`, (signal) =>
    api.getStoreReviewSummary({ id: appId }, { signal }),
  );
  return (
    <Card class="store-versions" title={t.versions} sub={t.versionsWhy} flush>
      <Loaded query={summary}>
        {({ versions, lastError, checkedAt }) => (
          <>
            {lastError && <p class="notice warn">{lastError}</p>}
            <Table
              empty={{ icon: icons.store, title: t.none, text: t.noneWhy }}
              caption={t.versions}
              rows={versions}
              keyOf={({ appVersion }) => appVersion ?? ''}
              csvName="reviews-by-version"
              columns={[
                { label: t.version, show: ({ appVersion }) => appVersion },
                {
                  label: t.since,
                  plain: ({ onSaleFrom }) => onSaleFrom,
                  show: ({ onSaleFrom, isSeen }) =>
                    onSaleFrom &&
                    `${calendarDay(onSaleFrom.slice(0, 10))}${isSeen ? '' : ` (${t.madeThen})`}`,
                },
                { label: t.reviews, number: true, show: ({ reviews }) => exactNumber(reviews) },
                { label: t.mean, number: true, show: (one) => mean(one.mean) },
                {
                  label: t.before,
                  show: ({ before }) =>
                    before &&
                    `${mean(before.mean)}, ${before.isBeyondChance ? t.beyond : t.chance}`,
                },
              ]}
            />
            {checkedAt && (
              <p class="quiet card-foot">
                {t.checked} {ago(checkedAt)}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

export function Reviews({ appId }: { appId: string }) {
  const cursor = useSignal('');
  const page = useQuery(`reviews ${appId} ${cursor.value}`, (signal) =>
    api.listStoreReviews({ id: appId, ...(cursor.value && { cursor: cursor.value }) }, { signal }),
  );
  return (
    <Card title={t.list} flush>
      <Loaded query={page}>
        {({ reviews, nextCursor }) => (
          <>
            <Table
              empty={{ icon: icons.store, title: t.none }}
              caption={t.list}
              rows={reviews}
              keyOf={({ id }) => id}
              csvName="reviews"
              columns={[
                {
                  label: t.rating,
                  number: true,
                  show: ({ rating }) => rating,
                },
                {
                  label: t.review,
                  show: ({ title }) => <strong>{title}</strong>,
                  second: ({ body }) => body,
                  plain: ({ title, body }) => `${title}: ${body}`,
                  narrow: true,
                },
                { label: t.from, show: (one) => `${one.nickname}, ${one.territory}` },
                { label: t.version, show: ({ appVersion }) => appVersion, narrow: true },
                {
                  label: t.written,
                  show: ({ createdAt }) => calendarDay(createdAt.slice(0, 10)),
                  narrow: true,
                },
              ]}
            />
            <CursorPagination cursor={cursor} next={nextCursor} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
