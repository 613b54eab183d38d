import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { SystemState } from '@palisade/administration'
import { databaseFile, type HttpService, type Store } from '@palisade/platform'
import { ownVersion } from '@palisade/start-up'

/** How this server is, as operators see it. */
export async function systemState(deps: {
  readonly parts: readonly Pick<HttpService, 'name' | 'warnings'>[]
  readonly store: Store
  readonly dataDirectory: string
  readonly startedAt: Date
}): Promise<SystemState> {
  const { parts, store, dataDirectory, startedAt } = deps
  const { bavail, blocks, bsize } = await statfs(dataDirectory)
  const services = parts.map(({ name, warnings }) => ({
    name,
    warnings: (warnings?.() ?? []).map(({ condition, message }) => ({ condition, message })),
  }))
  return {
    server: hostname(),
    version: ownVersion(import.meta.url),
    node: process.versions.node,
    startedAt: startedAt.toISOString(),
    database: {
      kind: store.kind,
      sizeBytes: store.kind === 'sqlite' ? sizeOf(databaseFile(dataDirectory)) : null,
    },
    storage: { folder: dataDirectory, freeBytes: bavail * bsize, totalBytes: blocks * bsize },
    isHealthy: services.every(({ warnings }) => warnings.length === 0),
    services,
  }
}

/** What is written lies in a file beside the database at first. */
function sizeOf(database: string): number {
  return [database, `${database}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}
