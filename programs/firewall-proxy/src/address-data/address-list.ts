import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What the text of a list says. */
export interface ReadList {
  readonly list: AddressList
  /** How many lines name addresses, and the numbers of those that should and do not. */
  readonly entries: number
  readonly unreadLines: readonly number[]
}

interface Range<Point> {
  readonly first: Point
  readonly last: Point
}

/** How many of the lines that are no addresses are named. */
const unreadMax = 1_000

/** A set of addresses as lists of millions have it: sorted ranges that do not touch, searched by bisection. */
export class AddressList {
  readonly #first4: Uint32Array
  readonly #last4: Uint32Array
  readonly #ranges6: readonly Range<bigint>[]

  private constructor(ranges4: readonly Range<number>[], ranges6: readonly Range<bigint>[]) {
    const merged4 = merged(ranges4, 1)
    this.#first4 = Uint32Array.from(merged4, ({ first }) => first)
    this.#last4 = Uint32Array.from(merged4, ({ last }) => last)
    this.#ranges6 = merged(ranges6, 1n)
  }

  /**
   * Reads a list: an address, a network with "/" or a range with "-" in each line. What follows "#", ";", a comma or a blank is not
   * read.
   */
  static read(text: string): ReadList {
    const ranges4: Range<number>[] = []
    const ranges6: Range<bigint>[] = []
    const unreadLines: number[] = []
    let number = 0
    for (const line of text.split('\n')) {
      number++
      const [entry = ''] = line
        .replace(/[#;,].*$/s, '')
        .trim()
        .split(/\s/)
      if (entry === '') continue
      const range = rangeOf(entry)
      if (range === undefined) {
        if (unreadLines.length < unreadMax) unreadLines.push(number)
      } else if (typeof range.first === 'number') ranges4.push(range as Range<number>)
      else ranges6.push(range as Range<bigint>)
    }
    const entries = ranges4.length + ranges6.length
    return { list: new AddressList(ranges4, ranges6), entries, unreadLines }
  }

  /** Whether the address is in it; one of IPv4 that is written as one of IPv6 is that of IPv4. */
  has(address: string): boolean {
    const point = pointIn(address)
    if (point === undefined) return false
    if (typeof point === 'number') {
      const at = placeIn(this.#first4.length, (index) => (this.#first4[index] ?? 0) <= point)
      return at >= 0 && point <= (this.#last4[at] ?? 0)
    }
    const at = placeIn(this.#ranges6.length, (index) => (this.#ranges6[index]?.first ?? 0n) <= point)
    return at >= 0 && point <= (this.#ranges6[at]?.last ?? 0n)
  }
}

/** The last place of which it is true, where it is true of all before; -1 for none. */
function placeIn(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isTrue(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}

function rangeOf(entry: string): Range<number> | Range<bigint> | undefined {
  if (entry.includes('/')) return networkOf(entry)
  const [from = '', to = from, ...rest] = entry.split('-')
  const [first, last] = [pointIn(from), pointIn(to)]
  if (first === undefined || last === undefined || rest.length > 0 || typeof first !== typeof last)
    return undefined
  return first <= last ? ({ first, last } as Range<bigint>) : undefined
}

function networkOf(entry: string): Range<number> | Range<bigint> | undefined {
  const at = entry.indexOf('/')
  const [network, length] = [entry.slice(0, at), entry.slice(at + 1)]
  const point = /^\d{1,3}$/.test(length) ? pointIn(network, false) : undefined
  const bits = Number(length)
  if (typeof point === 'number') {
    if (bits > 32) return undefined
    const size = 2 ** (32 - bits)
    const first = Math.floor(point / size) * size
    return { first, last: first + size - 1 }
  }
  if (point === undefined || bits > 128) return undefined
  const size = 1n << BigInt(128 - bits)
  const first = (point / size) * size
  return { first, last: first + size - 1n }
}

/** @param isMapped whether one of IPv4 that is written as one of IPv6 is that of IPv4. @returns undefined for what is no whole address */
function pointIn(address: string, isMapped = true): number | bigint | undefined {
  // Lists have hundreds of thousands of them.
  if (isIPv4(address)) return address.split('.').reduce((point, part) => point * 256 + Number(part), 0)
  if (!isIPv6(address)) return undefined
  return pointOf(isMapped ? ipaddr.process(address) : ipaddr.parse(address))
}

function pointOf(address: ipaddr.IPv4 | ipaddr.IPv6): number | bigint {
  const bytes = Buffer.from(address.toByteArray())
  return bytes.length === 4
    ? bytes.readUInt32BE()
    : (bytes.readBigUInt64BE() << 64n) | bytes.readBigUInt64BE(8)
}

function merged<Point extends number | bigint>(
  ranges: readonly Range<Point>[],
  one: Point,
): readonly Range<Point>[] {
  const all: { first: Point; last: Point }[] = []
  for (const { first, last } of ranges.toSorted((a, b) =>
    a.first < b.first ? -1 : a.first > b.first ? 1 : 0,
  )) {
    const before = all.at(-1)
    if (before && first <= (((before.last as number) + (one as number)) as Point)) {
      if (last > before.last) before.last = last
    } else all.push({ first, last })
  }
  return all
}
