import type { ComponentChildren } from 'preact';
import { when } from '../format.ts';
import type { RequestError } from '../state/api.ts';
import { isOld, type Query } from '../state/query.ts';
import { texts } from '../texts/index.ts';
import type { Icon } from './icons.ts';

export function ErrorNotice({ error, refetch }: { error: RequestError; refetch?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{error.forbidden ? texts.errors.forbidden : error.message}</strong>
        {error.hint && <span> {error.hint}</span>}
      </p>
      <div class="row">
        {refetch && !error.forbidden && (
          <button type="button" class="plain compact" onClick={refetch}>
            {texts.errors.again}
          </button>
        )}
        {error.requestId && (
          <span class="quiet">
            {texts.errors.requestId} <code>{error.requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

export function FailedNotice({ failed }: { failed: readonly Query<unknown>[] }) {
  const error = failed[0]?.value.error;
  const again = () => {
    for (const query of failed) query.refetch();
  };
  return error ? <ErrorNotice error={error} refetch={again} /> : null;
}

type SkeletonProps = { shape?: 'kpis' | 'plot' | 'rows' | 'line'; count?: number };

export const SkeletonCard = ({
  class: classes = '',
  ...props
}: SkeletonProps & { class?: string }) => (
  <div class={`card ${classes}`}>
    <Skeleton {...props} />
  </div>
);

export function Skeleton(props: SkeletonProps) {
  const { shape = 'rows' } = props;
  const { count = shape === 'rows' || shape === 'kpis' ? 5 : 1 } = props;
  return (
    <div class={`skeletons ${shape}`} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <div class="skeleton" key={index} />
      ))}
    </div>
  );
}

export function Loaded<T>(props: {
  query: Query<T>;
  skeleton?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}) {
  const { query, skeleton = <Skeleton /> } = props;
  const { data, error, isFetching, fetchedAtMs } = query.value;
  const isStale = error !== undefined || (isFetching && isOld(query.value));
  return (
    <>
      {error && <ErrorNotice error={error} refetch={query.refetch} />}
      {data !== undefined && isStale && (
        <p class="quiet" role="status">
          {texts.errors.stale(when(new Date(fetchedAtMs).toISOString()))}
        </p>
      )}
      {data === undefined && !error && skeleton}
      {data !== undefined && props.children(data)}
    </>
  );
}

type EmptyProps = {
  icon?: Icon;
  title: string;
  text?: ComponentChildren;
  action?: ComponentChildren;
  code?: string;
};

export const EmptyCard = (props: EmptyProps) => (
  <section class="card">
    <Empty {...props} />
  </section>
);

export function Empty(props: EmptyProps) {
  const { icon: Glyph } = props;
  return (
    <div class="empty">
      {Glyph && (
        <span class="square">
          <Glyph />
        </span>
      )}
      <p class="empty-title">{props.title}</p>
      {props.text && <p>{props.text}</p>}
      {props.action}
      {props.code && <code>{props.code}</code>}
    </div>
  );
}
