import type { ComponentChildren } from 'preact';
import type { Query } from '../state/query.ts';
import { Card } from './card.tsx';
import { Loaded } from './states.tsx';
import { Table, type TableLook, type TableProps } from './table.tsx';

export type TableCardProps<T> = Omit<TableProps<T>, 'caption'> & {
  title: string;
  sub?: ComponentChildren;
  class?: string;
};

export function TableCard<T>(props: TableCardProps<T>) {
  const { title, sub, class: classes, ...table } = props;
  return (
    <Card {...{ title, sub, class: classes }} flush>
      <Table {...table} caption={title} />
    </Card>
  );
}

export function ListCard<T>(
  props: TableLook<T> & {
    title: string;
    query: Query<readonly T[]>;
    sub?: ComponentChildren;
    actions?: ComponentChildren;
    /** That of the rows when left out; null for a page of a longer list. */
    count?: number | null | undefined;
    isRegion?: boolean;
    class?: string;
    skeleton?: ComponentChildren;
    above?: ComponentChildren;
    below?: ComponentChildren;
  },
) {
  const { title, query, sub, actions, count, isRegion, class: classes, skeleton, ...rest } = props;
  const { above, below, ...table } = rest;
  return (
    <Card
      {...{ title, sub, actions, isRegion, class: classes }}
      count={count === null ? undefined : (count ?? query.value.data?.length)}
      flush
    >
      <Loaded {...{ query, skeleton }}>
        {(rows) => (
          <>
            {above}
            <Table csvName={null} {...table} caption={title} rows={rows} />
            {below}
          </>
        )}
      </Loaded>
    </Card>
  );
}
