import type { Ask } from '../../state/ask.ts';
import { FunnelBuilder } from './funnel-builder.tsx';
import { LifecycleBuilder, PathsBuilder, RetentionBuilder } from './other-builders.tsx';
import type { BuilderProps } from './rows.tsx';
import { TrendBuilder } from './trend-builder.tsx';

export function Builder(props: BuilderProps<Ask>) {
  const { ask, ...rest } = props;
  switch (ask.kind) {
    case 'trend':
      return <TrendBuilder {...rest} ask={ask} />;
    case 'funnel':
      return <FunnelBuilder {...rest} ask={ask} />;
    case 'retention':
      return <RetentionBuilder {...rest} ask={ask} />;
    case 'lifecycle':
      return <LifecycleBuilder {...rest} ask={ask} />;
    case 'paths':
      return <PathsBuilder {...rest} ask={ask} />;
  }
}
