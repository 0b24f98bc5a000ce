export const ORDER_COLUMNS = ['occurred_at', 'batch_index', 'arrival'];

export const firstSql = (value: string): string =>
  `min({'at': occurred_at, 'place': batch_index, 'arrival': arrival, 'value': ${value}})`;
