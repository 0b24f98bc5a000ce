import { when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { marketing as t } from '../../texts/marketing.ts';

const textOf = ({ title, caption }: { title: string | null; caption: string | null }) =>
  title ?? caption ?? '';

export function Scheduled({ appId }: { appId: string }) {
  const found = useQuery(`scheduled ${appId}`, (signal) =>
    api.listScheduledPosts({ id: appId }, { signal }),
  );
  return (
    <Card title={t.scheduled} count={found.value.data?.length} flush>
      <Loaded query={found}>
        {(posts) => (
          <Table
            empty={{ icon: icons.calendar, title: t.noScheduled }}
            caption={t.scheduled}
            rows={posts}
            keyOf={({ jobId }) => jobId}
            csvName="scheduled"
            columns={[
              {
                label: t.when,
                show: ({ scheduledAt }) => when(scheduledAt),
                plain: ({ scheduledAt }) => scheduledAt,
              },
              {
                label: t.where,
                show: ({ platforms }) => platforms.join(', '),
                plain: ({ platforms }) => platforms.join(' '),
              },
              { label: t.post, show: textOf, plain: textOf },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

export function History({ appId }: { appId: string }) {
  const found = useQuery(`published ${appId}`, (signal) =>
    api.getPublishHistory({ id: appId }, { signal }),
  );
  return (
    <Card title={t.history} count={found.value.data?.total} flush>
      <Loaded query={found}>
        {({ posts, total }) =>
          posts.length === 0 ? (
            <Empty icon={icons.marketing} title={t.noHistory} />
          ) : (
            <>
              <Table
                caption={t.history}
                rows={posts.map((post, index) => ({ ...post, index }))}
                keyOf={({ index }) => String(index)}
                csvName="published"
                columns={[
                  {
                    label: t.when,
                    show: ({ publishedAt }) => when(publishedAt),
                    plain: ({ publishedAt }) => publishedAt,
                  },
                  {
                    label: t.where,
                    show: ({ platform }) => platform,
                  },
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
              />
              <p class="quiet inside">{t.total(posts.length, total)}</p>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
