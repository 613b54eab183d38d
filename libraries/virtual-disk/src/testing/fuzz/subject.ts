/** A structure of a file, and how many of its first bytes mean something. */
export interface Target {
  readonly offsetBytes: number
  readonly bytes: Buffer
  readonly meaningfulBytes: number
  /** Makes the structure's checksums right again, so that damage gets past them. */
  readonly seal?: (bytes: Buffer) => void
}

/** A sound file of which only the structures are kept; all else in it is zero. */
export interface Subject {
  readonly title: string
  readonly sizeBytes: number
  readonly targets: readonly Target[]
}

/** Where a structure is, how long it is, how many of its first bytes mean something, and what seals it. */
export type Slice = readonly [
  offsetBytes: number,
  sizeBytes: number,
  meaningfulBytes: number,
  seal?: (bytes: Buffer) => void,
]

/** A subject of some parts of a sound file. */
export function sliceSubject(title: string, file: Buffer, slices: readonly Slice[]): Subject {
  const targets = slices.map(([offsetBytes, sizeBytes, meaningfulBytes, seal]): Target => {
    const bytes = Buffer.from(file.subarray(offsetBytes, offsetBytes + sizeBytes))
    return { offsetBytes, bytes, meaningfulBytes, ...(seal === undefined ? {} : { seal }) }
  })
  return { title, sizeBytes: file.byteLength, targets }
}
