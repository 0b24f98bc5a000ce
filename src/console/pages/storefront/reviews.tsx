import { useSignal } from '@preact/signals';
import { ago, calendarDay } from '../../format.ts';
import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { CursorPagination } from '../../parts/pagination.tsx';
import { api } from '../../state/api.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { mapped } from '../../state/mapped.ts';
import { useApi } from '../../state/use-api.ts';
import { storefront as t } from '../../texts/storefront.ts';

const mean = (value: number | null) => value?.toFixed(1) ?? null;

export function ReviewVersions({ appId: id }: { appId: string }) {
  const summary = useApi(api.getStoreReviewSummary, { id });
  const { lastError, checkedAt } = summary.value.data ?? {};
  return (
    <ListCard
      class="store-versions"
      title={t.versions}
      sub={t.versionsWhy}
      count={null}
      query={mapped(summary, ({ versions }) => versions)}
      above={lastError && <p class="notice warn">{lastError}</p>}
      empty={{ icon: icons.store, title: t.none, text: t.noneWhy }}
      keyOf={(one) => one[VERSION] ?? ''}
      csvName="reviews-by-version"
      columns={[
        { label: t.version, show: (one) => one[VERSION] },
        {
          label: t.since,
          plain: ({ onSaleFrom }) => onSaleFrom,
          show: ({ onSaleFrom, isSeen }) =>
            onSaleFrom &&
            `${calendarDay(onSaleFrom.slice(0, 10))}${isSeen ? '' : ` (${t.madeThen})`}`,
        },
        { label: t.reviews, figure: ({ reviews }) => reviews },
        { label: t.mean, number: true, show: (one) => mean(one.mean) },
        {
          label: t.before,
          show: ({ before }) =>
            before && `${mean(before.mean)}, ${before.isBeyondChance ? t.beyond : t.chance}`,
        },
      ]}
      below={
        checkedAt && (
          <p class="quiet card-foot">
            {t.checked} {ago(checkedAt)}
          </p>
        )
      }
    />
  );
}

export function Reviews({ appId: id }: { appId: string }) {
  const cursor = useSignal('');
  const page = useApi(api.listStoreReviews, {
    id,
    ...(cursor.value && { cursor: cursor.value }),
  });
  return (
    <ListCard
      title={t.list}
      count={null}
      query={mapped(page, ({ reviews }) => reviews)}
      empty={{ icon: icons.store, title: t.none }}
      keyOf={(review) => review.id}
      csvName="reviews"
      columns={[
        { label: t.rating, number: true, show: ({ rating }) => rating },
        {
          label: t.review,
          show: ({ title }) => <strong>{title}</strong>,
          second: ({ body }) => body,
          plain: ({ title, body }) => `${title}: ${body}`,
          narrow: true,
        },
        { label: t.from, show: (one) => `${one.nickname}, ${one.territory}` },
        { label: t.version, show: (one) => one[VERSION], narrow: true },
        {
          label: t.written,
          show: ({ createdAt }) => calendarDay(createdAt.slice(0, 10)),
          narrow: true,
        },
      ]}
      below={<CursorPagination cursor={cursor} next={page.value.data?.nextCursor ?? null} />}
    />
  );
}
