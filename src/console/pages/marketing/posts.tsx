import * as icons from '../../parts/icons.ts';
import { ListCard } from '../../parts/list-card.tsx';
import { api } from '../../state/api.ts';
import { mapped } from '../../state/mapped.ts';
import { useApi } from '../../state/use-api.ts';
import { marketing as t } from '../../texts/marketing.ts';

const textOf = ({ title, caption }: { title: string | null; caption: string | null }) =>
  title ?? caption ?? '';

export const Scheduled = ({ appId: id }: { appId: string }) => (
  <ListCard
    title={t.scheduled}
    query={useApi(api.listScheduledPosts, { id })}
    empty={{ icon: icons.calendar, title: t.noScheduled }}
    keyOf={({ jobId }) => jobId}
    csvName="scheduled"
    columns={[
      { label: t.when, at: ({ scheduledAt }) => scheduledAt },
      {
        label: t.where,
        show: ({ platforms }) => platforms.join(', '),
        plain: ({ platforms }) => platforms.join(' '),
      },
      { label: t.post, show: textOf },
    ]}
  />
);

export function History({ appId: id }: { appId: string }) {
  const found = useApi(api.getPublishHistory, { id });
  const { posts = [], total = 0 } = found.value.data ?? {};
  return (
    <ListCard
      title={t.history}
      count={found.value.data?.total}
      query={mapped(found, (all) => all.posts.map((post, index) => ({ ...post, index })))}
      empty={{ icon: icons.marketing, title: t.noHistory }}
      keyOf={({ index }) => String(index)}
      csvName="published"
      columns={[
        { label: t.when, at: ({ publishedAt }) => publishedAt },
        { label: t.where, show: ({ platform }) => platform },
        {
          label: t.post,
          show: (post) =>
            post.postUrl ? (
              <a href={post.postUrl} target="_blank" rel="noreferrer">
                {textOf(post) || post.postUrl}
              </a>
            ) : (
              textOf(post)
            ),
          plain: textOf,
        },
        {
          label: t.result,
          show: ({ success, errorMessage }) =>
            success ? (
              <span class="good">{t.published}</span>
            ) : (
              <span class="bad">
                {t.failed} {errorMessage}
              </span>
            ),
          plain: ({ success, errorMessage }) =>
            success ? t.published : `${t.failed} ${errorMessage ?? ''}`,
        },
      ]}
      below={posts.length > 0 && <p class="quiet inside">{t.total(posts.length, total)}</p>}
    />
  );
}
