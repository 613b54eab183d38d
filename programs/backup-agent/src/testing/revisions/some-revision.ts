import type { RevisionToRestore } from '@palisade/agent-protocol'

/** A revision of a data volume, for what only looks at sizes. */
export function someRevision(capacityBytes: number, chunkSizeBytes: number): RevisionToRestore {
  return {
    revisionId: 1,
    chunkSizeBytes,
    chunkCount: Math.ceil(capacityBytes / chunkSizeBytes),
    fileName: 'disk',
    volume: {
      deviceId: 'x',
      driveLetter: '',
      label: 'data',
      fileSystem: 'ntfs',
      capacityBytes,
      usedBytes: 0,
      isBoot: false,
      firmware: 'bios',
      partitionScheme: 'mbr',
      partitionType: '',
      sourcePath: '',
    },
  }
}
