import fc from 'fast-check'
import type { ByteSource } from '../../byte-source.ts'
import { composeSource, sliceSource } from '../../compose-source.ts'
import { MIB } from '../../extent.ts'
import { overlaySource } from '../../overlay-source.ts'
import type { Subject, Target } from './subject.ts'

/** What is done to a file. */
export interface Damage {
  readonly changes: readonly ((targets: readonly Target[]) => void)[]
  /** Whether checksums are made right again afterwards. */
  readonly reseal: boolean
  /** The file cut off or lengthened; undefined leaves it as it is. */
  readonly sizeBytes: number | undefined
}

/** Numbers at which programs go wrong: edges of types, of sectors and of the formats. */
const edges = [
  ...[0n, 1n, 2n, 3n, 7n, 8n, 63n, 64n, 511n, 512n, 513n, 4095n, 4096n, 65_535n, 65_536n],
  ...[1n, 2n, 3n, 5n, 64n, 1024n, 2n ** 20n, 2n ** 26n].map((mebibytes) => mebibytes * BigInt(MIB)),
  ...[31n, 32n, 40n, 47n, 52n, 53n, 63n, 64n].flatMap((power) => [2n ** power - 1n, 2n ** power]),
]

/** Some changes to a subject's structures, most of them with the checksums made right again. */
export function damageTo(subject: Subject): fc.Arbitrary<Damage> {
  const place = fc.nat(subject.targets.length - 1).chain((target) => {
    const { meaningfulBytes } = subject.targets[target] ?? { meaningfulBytes: 1 }
    return fc.record({ target: fc.constant(target), at: fc.nat(meaningfulBytes - 1) })
  })
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 16 })
  const number = fc.record({
    value: fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    sizeBytes: fc.constantFrom(1, 2, 4, 8),
    bigEndian: fc.boolean(),
  })
  const change = fc.oneof(
    fc.tuple(place, bytes).map(([to, content]) => overwrite(to, content)),
    fc.tuple(place, number).map(([to, value]) => overwrite(to, numberBytes(value))),
    fc
      .tuple(place, place, fc.integer({ min: 1, max: 64 }))
      .map(([to, from, sizeBytes]) => copy(to, from, sizeBytes)),
  )
  return fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    reseal: fc.oneof(
      { weight: 4, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    sizeBytes: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(2 * subject.sizeBytes) },
      { weight: 1, arbitrary: fc.constantFrom(2 ** 40, 2 ** 46) },
    ),
  })
}

interface Place {
  readonly target: number
  readonly at: number
}

function overwrite({ target, at }: Place, bytes: Uint8Array): Damage['changes'][number] {
  const change: Damage['changes'][number] = (targets) => {
    const to = targets[target]?.bytes.subarray(at)
    to?.set(bytes.subarray(0, to.byteLength))
  }
  return renamed(change, `${Buffer.from(bytes).toString('hex')} to ${target}:${at}`)
}

function copy(to: Place, from: Place, sizeBytes: number): Damage['changes'][number] {
  const change: Damage['changes'][number] = (targets) => {
    const source = targets[from.target]?.bytes
    const target = targets[to.target]?.bytes
    if (target !== undefined) source?.copy(target, to.at, from.at, from.at + sizeBytes)
  }
  return renamed(change, `${sizeBytes} bytes of ${from.target}:${from.at} to ${to.target}:${to.at}`)
}

/** So that a failure can be read. */
function renamed(change: Damage['changes'][number], name: string): Damage['changes'][number] {
  return Object.assign(change, { [fc.toStringMethod]: () => name })
}

function numberBytes(of: {
  readonly value: bigint
  readonly sizeBytes: number
  readonly bigEndian: boolean
}): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, of.value))
  const beginning = bytes.subarray(0, of.sizeBytes)
  return of.bigEndian ? beginning.reverse() : beginning
}

/** Copies of the structures with the damage done to them. */
export function damagedTargets(subject: Subject, damage: Damage): readonly Target[] {
  const targets = subject.targets.map((target) => ({ ...target, bytes: Buffer.from(target.bytes) }))
  for (const apply of damage.changes) apply(targets)
  if (damage.reseal) for (const { bytes, seal } of targets) seal?.(bytes)
  return targets
}

/** The subject's file with the damage done to it. */
export function damagedFile(subject: Subject, damage: Damage): ByteSource {
  const whole = composeSource(subject.sizeBytes, damagedTargets(subject, damage))
  const { sizeBytes } = damage
  if (sizeBytes === undefined) return whole
  if (sizeBytes > whole.sizeBytes) return overlaySource(whole, [], sizeBytes)
  return sliceSource(whole, { offsetBytes: 0, sizeBytes })
}
