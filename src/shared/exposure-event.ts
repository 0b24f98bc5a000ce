/** Written by the service itself; clients cannot send a name with `$`. Left out of summaries. */
export const EXPOSURE_EVENT = '$exposure';
