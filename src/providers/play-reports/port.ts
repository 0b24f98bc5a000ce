import type { GoogleKey } from '../../shared/google-grant.ts';
import type { PlayReport, ReportFile } from './report.ts';

export { groupRows } from './group-rows.ts';
export { openReport } from './open-report.ts';
export {
  PLAY_REPORTS,
  type PlayReport,
  PlayReportError,
  type ReportFile,
  type ReportRow,
  type SkippedRow,
} from './report.ts';

export type PlayReports = {
  /** Throws `invalid_input`, which never contains the key. */
  readKey(serviceAccount: string): GoogleKey;
  /** All of a report, in the order of names. */
  list(key: GoogleKey, bucket: string, report: PlayReport): Promise<ReportFile[]>;
  /** As it is stored: ZIP, gzip or CSV. */
  download(key: GoogleKey, bucket: string, file: ReportFile): Promise<Uint8Array>;
};
