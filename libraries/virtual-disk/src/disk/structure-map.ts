import { type ByteSource, readBytes } from '../byte-source.ts'
import { type Extent, MIB, overlaps } from '../extent.ts'
import type { Findings } from '../finding.ts'

/** A part of a file that is not block data, by name. */
export interface NamedStructure extends Extent {
  readonly name: string
}

/** Reports structures that lie over each other or outside the file. */
export function checkStructures(
  findings: Findings,
  structures: readonly NamedStructure[],
  fileSizeBytes: number,
): void {
  for (const [index, structure] of structures.entries()) {
    const { name, offsetBytes, sizeBytes } = structure
    if (!(offsetBytes >= 0 && offsetBytes + sizeBytes <= fileSizeBytes)) {
      findings.add('error', 'structure-misplaced', offsetBytes, `the ${name} ends outside the file`)
    }
    const other = structures.slice(0, index).find((earlier) => overlaps(earlier, structure))
    if (other !== undefined) {
      findings.add('error', 'structure-misplaced', offsetBytes, `the ${name} lies over the ${other.name}`)
    }
  }
}

/** A block with the place of the table entry that names it. */
export interface NamedBlock extends NamedStructure {
  readonly entryOffsetBytes: number
}

/** Reports a block that lies outside the file or over a structure; says whether it does neither. */
export function checkPlace(
  findings: Findings,
  block: NamedBlock,
  structures: readonly NamedStructure[],
  fileSizeBytes: number,
): boolean {
  const { name, offsetBytes, sizeBytes, entryOffsetBytes } = block
  const end = offsetBytes + sizeBytes
  if (end > fileSizeBytes) {
    const message = `${name} ends at ${end}, the file at ${fileSizeBytes}`
    findings.add('error', 'block-outside-file', entryOffsetBytes, message)
    return false
  }
  const struck = structures.find((structure) => overlaps(structure, block))
  if (struck === undefined) return true
  const message = `${name}, at ${offsetBytes}, lies over the ${struck.name}`
  findings.add('error', 'block-overlaps', entryOffsetBytes, message)
  return false
}

/** Some entries of a table, and the index of the first. */
export interface TablePiece {
  readonly firstIndex: number
  readonly piece: Buffer
}

/** A table of entries in pieces of at most 1 MiB. */
export async function* readTable(
  source: ByteSource,
  table: Extent,
  entrySizeBytes: number,
): AsyncGenerator<TablePiece> {
  for (let offset = 0; offset < table.sizeBytes; offset += MIB) {
    const sizeBytes = Math.min(MIB, table.sizeBytes - offset)
    const piece = await readBytes(source, table.offsetBytes + offset, sizeBytes)
    yield { firstIndex: offset / entrySizeBytes, piece }
  }
}
