/** Where the agent's side of the backup service lies, below its {base_url}. */
const root = '/agent/v1'

/** The addresses that only agents use. Bodies without a schema are binary; see the README. */
export const agentPaths = {
  enrol: `${root}/enrol`,
  link: `${root}/link`,
  keys: `${root}/keys`,
  missing: (backupId: string) => `${root}/backups/${backupId}/missing`,
  chunks: (backupId: string) => `${root}/backups/${backupId}/chunks`,
  commit: (backupId: string) => `${root}/backups/${backupId}/commit`,
  presence: (restoreId: string, revisionId: number | string) =>
    `${root}/restores/${restoreId}/revisions/${revisionId}/presence`,
  revisionIds: (revisionId: number | string) => `${root}/revisions/${revisionId}/ids`,
  /** What the machine of a proof shows, a PNG; see `isScreenshot`. */
  screenshot: (restoreId: string) => `${root}/restores/${restoreId}/screenshot`,
  revisionChunks: (restoreId: string, revisionId: number | string) =>
    `${root}/restores/${restoreId}/revisions/${revisionId}/chunks`,
} as const

/** Both sides send a ping this often … */
export const heartbeatMs = 10_000
/** … and take the other for dead when nothing was heard for this long. */
export const silenceMaxMs = 30_000
