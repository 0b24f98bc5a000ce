import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';

/** The organization's reporting key, as far as it may be shown. */
export const useStoreConnection = () =>
  useQuestion('store connection', (signal) => api.getStoreConnection(undefined, { signal }), 30);
