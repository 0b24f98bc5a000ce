import type { ComponentChildren } from 'preact';
import type { Query } from '../state/query.ts';
import { texts } from '../texts/index.ts';
import { Card } from './card.tsx';
import { type Fields, Form } from './form.tsx';
import { Loaded } from './states.tsx';

export function SettingCard<T>(props: {
  title: string;
  why?: string;
  query: Query<T>;
  notAllowed?: string | false;
  skeleton?: ComponentChildren;
  above?: (set: T) => ComponentChildren;
  below?: (set: T) => ComponentChildren;
  save: (fields: Fields, set: T) => Promise<unknown>;
  children: (set: T) => ComponentChildren;
}) {
  const { query, notAllowed = false, skeleton } = props;
  return (
    <Card title={props.title}>
      {props.why && <p class="quiet">{props.why}</p>}
      <Loaded {...{ query, skeleton }}>
        {(set) => (
          <>
            {props.above?.(set)}
            <Form
              button={texts.save}
              done={texts.saved}
              notAllowed={notAllowed}
              onSubmit={(fields) => props.save(fields, set)}
            >
              {props.children(set)}
            </Form>
            {props.below?.(set)}
          </>
        )}
      </Loaded>
    </Card>
  );
}
