type Line = (fields: object, message: string) => void;

/** The part of a logger that the log and the compactor report to. */
export type Reporter = { error: Line; warn: Line; info: Line };
