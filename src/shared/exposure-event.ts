/** Written by the service only; excluded from summaries. */
export const EXPOSURE_EVENT = '$exposure';
