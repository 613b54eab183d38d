import type { ByteReader } from './byte-reader.ts'
import {
  allocationContext,
  greetingMagic,
  handshakeFlags,
  infoTypes,
  optionMagic,
  optionReplies,
  optionReplyMagic,
  optionSizeBytesMax,
  options,
  readSizeBytesMax,
  transmissionFlags,
} from './nbd-protocol.ts'

/** What client and server have agreed on. */
export interface NbdAgreement<Export> {
  readonly disk: Export
  readonly repliesStructured: boolean
  readonly tellsAllocation: boolean
}

interface Sized {
  readonly sizeBytes: number
}

/**
 * Talks with a client until it begins to read.
 *
 * @param exports by their names
 * @returns undefined when the client leaves, breaks the protocol, or wants what there is not
 */
export async function negotiate<Export extends Sized>(
  reader: ByteReader,
  send: (bytes: Buffer) => void,
  exports: ReadonlyMap<string, Export>,
): Promise<NbdAgreement<Export> | undefined> {
  send(Buffer.concat([greetingMagic, u16(handshakeFlags.fixedNewstyle | handshakeFlags.noZeroes)]))
  const clientFlags = (await reader.take(4))?.readUInt32BE()
  if (clientFlags === undefined || (clientFlags & handshakeFlags.fixedNewstyle) === 0) return undefined
  const negotiation = new Negotiation(send, exports, (clientFlags & handshakeFlags.noZeroes) !== 0)
  for (;;) {
    const wish = await nextOption(reader)
    const result = wish === undefined ? 'over' : negotiation.answer(wish.option, wish.data)
    if (result === 'over') return undefined
    if (result !== 'goes-on') return result
  }
}

/** What comes of an option. */
type Result<Export> = NbdAgreement<Export> | 'goes-on' | 'over'
type Reply = (type: number, ...parts: readonly Buffer[]) => void

/** The options of one client, one after another. */
class Negotiation<Export extends Sized> {
  readonly #send: (bytes: Buffer) => void
  readonly #exports: ReadonlyMap<string, Export>
  readonly #withoutZeroes: boolean
  #repliesStructured = false
  #tellsAllocation = false

  constructor(send: (bytes: Buffer) => void, exports: ReadonlyMap<string, Export>, withoutZeroes: boolean) {
    this.#send = send
    this.#exports = exports
    this.#withoutZeroes = withoutZeroes
  }

  answer(option: number, data: Buffer): Result<Export> {
    const reply: Reply = (type, ...parts) => this.#send(optionReply(option, type, parts))
    if (option === options.exportName) return this.#begin(data)
    if (option === options.info || option === options.go) return this.#describe(option, data, reply)
    if (option === options.listMetaContext || option === options.setMetaContext) {
      this.#tellContexts(option, data, reply)
      return 'goes-on'
    }
    if (option === options.list)
      for (const name of this.#exports.keys()) reply(optionReplies.server, sized(name))
    if (option === options.structuredReply) this.#repliesStructured = true
    reply(plainOptions.includes(option) ? optionReplies.acknowledged : optionReplies.unsupported)
    return option === options.abort ? 'over' : 'goes-on'
  }

  /** The oldest way to begin; it knows no failure but the end of the connection. */
  #begin(data: Buffer): Result<Export> {
    const disk = this.#exports.get(data.toString('utf8'))
    if (disk === undefined) return 'over'
    const zeroes = Buffer.alloc(this.#withoutZeroes ? 0 : 124)
    this.#send(Buffer.concat([u64(disk.sizeBytes), u16(transmissionFlags), zeroes]))
    return this.#agreeOn(disk)
  }

  #describe(option: number, data: Buffer, reply: Reply): Result<Export> {
    const name = textAt(data, 0)?.text
    const disk = name === undefined ? undefined : this.#exports.get(name)
    if (disk === undefined) {
      reply(name === undefined ? optionReplies.invalid : optionReplies.unknownExport)
      return 'goes-on'
    }
    reply(optionReplies.info, u16(infoTypes.export), u64(disk.sizeBytes), u16(transmissionFlags))
    reply(optionReplies.info, u16(infoTypes.blockSize), u32(1), u32(4096), u32(readSizeBytesMax))
    reply(optionReplies.acknowledged)
    return option === options.go ? this.#agreeOn(disk) : 'goes-on'
  }

  #tellContexts(option: number, data: Buffer, reply: Reply): void {
    const contexts = contextsIn(data)
    if (contexts === undefined || !this.#exports.has(contexts.name)) {
      reply(contexts === undefined ? optionReplies.invalid : optionReplies.unknownExport)
      return
    }
    const { queries } = contexts
    const isWanted = queries.some((query) => query === allocationContext.name || query === 'base:')
    if (option === options.setMetaContext) this.#tellsAllocation = isWanted && this.#repliesStructured
    const isTold =
      option === options.setMetaContext ? this.#tellsAllocation : isWanted || queries.length === 0
    if (isTold)
      reply(optionReplies.metaContext, u32(allocationContext.id), Buffer.from(allocationContext.name))
    reply(optionReplies.acknowledged)
  }

  #agreeOn(disk: Export): NbdAgreement<Export> {
    return { disk, repliesStructured: this.#repliesStructured, tellsAllocation: this.#tellsAllocation }
  }
}

/** Options that are answered with a yes and nothing else, but for the names in front of that of `list`. */
const plainOptions: readonly number[] = [options.abort, options.list, options.structuredReply]

async function nextOption(reader: ByteReader): Promise<{ option: number; data: Buffer } | undefined> {
  const head = await reader.take(16)
  if (head === undefined || !head.subarray(0, 8).equals(optionMagic)) return undefined
  const sizeBytes = head.readUInt32BE(12)
  if (sizeBytes > optionSizeBytesMax) return undefined
  const data = await reader.take(sizeBytes)
  return data && { option: head.readUInt32BE(8), data }
}

function optionReply(option: number, type: number, parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts)
  return Buffer.concat([optionReplyMagic, u32(option), u32(type), u32(data.length), data])
}

/** The text at `at` that its length precedes; undefined when it does not end within the data. */
function textAt(data: Buffer, at: number): { readonly text: string; readonly end: number } | undefined {
  if (at + 4 > data.length) return undefined
  const end = at + 4 + data.readUInt32BE(at)
  return end > data.length ? undefined : { text: data.toString('utf8', at + 4, end), end }
}

function contextsIn(
  data: Buffer,
): { readonly name: string; readonly queries: readonly string[] } | undefined {
  const name = textAt(data, 0)
  if (name === undefined || name.end + 4 > data.length) return undefined
  const queries: string[] = []
  let at = name.end + 4
  for (let left = data.readUInt32BE(name.end); left > 0; left--) {
    const query = textAt(data, at)
    if (query === undefined) return undefined
    queries.push(query.text)
    at = query.end
  }
  return { name: name.text, queries }
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([u32(bytes.length), bytes])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
