import type { SnapshotUploads } from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import { texts } from '../../kinds/conversions.ts'
import type { Value } from '../../kinds/values.ts'

/** The members by which policies and parameter profiles say which files may be uploaded. */
export const uploadMembers = {
  by: ['allowed-file-upload-type', byOf],
  extensions: ['file-upload-extensions', texts],
  types: ['file-upload-mime-types', contentTypesIn],
} as const

function byOf(type: Value | undefined): SnapshotUploads['by'] {
  return type === 'Mime Types' ? 'type' : 'extension'
}

/** No file is let in, which an object means that says nothing of files. */
export const noUploads: SnapshotUploads = { by: 'extension', allowed: [] }

/** Which files may be uploaded; what stands behind a "!" is refused. */
export function compileUploads({
  by,
  extensions,
  types,
  ...limits
}: Pick<SnapshotUploads, 'by' | 'fileBytes'> & {
  readonly extensions: readonly string[]
  readonly types: readonly string[]
}): SnapshotUploads {
  const entries = by === 'type' ? types : extensions
  const refused = entries.filter((one) => one.startsWith('!'))
  return {
    by,
    allowed: entries.filter((one) => !refused.includes(one)).map((one) => one.toLowerCase()),
    ...(refused.length === 0 ? {} : { refused: refused.map((one) => one.slice(1).toLowerCase()) }),
    ...limits,
  }
}
