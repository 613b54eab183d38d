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
  const agreed = { repliesStructured: false, tellsAllocation: false }
  for (;;) {
    const wish = await nextOption(reader)
    if (wish === undefined) return undefined
    const { option, data } = wish
    const reply = (type: number, ...parts: readonly Buffer[]) => send(optionReply(option, type, parts))
    switch (option) {
      case options.exportName: {
        const disk = exports.get(data.toString('utf8'))
        if (disk === undefined) return undefined
        const zeroes = (clientFlags & handshakeFlags.noZeroes) === 0 ? Buffer.alloc(124) : Buffer.alloc(0)
        send(Buffer.concat([u64(disk.sizeBytes), u16(transmissionFlags), zeroes]))
        return { disk, ...agreed }
      }
      case options.abort:
        reply(optionReplies.acknowledged)
        return undefined
      case options.list:
        for (const name of exports.keys()) reply(optionReplies.server, sized(name))
        reply(optionReplies.acknowledged)
        break
      case options.info:
      case options.go: {
        const name = nameIn(data)
        const disk = name === undefined ? undefined : exports.get(name)
        if (disk === undefined) {
          reply(name === undefined ? optionReplies.invalid : optionReplies.unknownExport)
          break
        }
        reply(optionReplies.info, u16(infoTypes.export), u64(disk.sizeBytes), u16(transmissionFlags))
        reply(optionReplies.info, u16(infoTypes.blockSize), u32(1), u32(4096), u32(readSizeBytesMax))
        reply(optionReplies.acknowledged)
        if (option === options.go) return { disk, ...agreed }
        break
      }
      case options.structuredReply:
        agreed.repliesStructured = true
        reply(optionReplies.acknowledged)
        break
      case options.listMetaContext:
      case options.setMetaContext: {
        const wanted = contextsIn(data)
        if (wanted === undefined || !exports.has(wanted.name)) {
          reply(wanted === undefined ? optionReplies.invalid : optionReplies.unknownExport)
          break
        }
        const fits = wanted.queries.some((query) => query === allocationContext.name || query === 'base:')
        const isListed = option === options.listMetaContext && (fits || wanted.queries.length === 0)
        const isSet = option === options.setMetaContext && fits && agreed.repliesStructured
        if (option === options.setMetaContext) agreed.tellsAllocation = isSet
        if (isListed || isSet) {
          reply(optionReplies.metaContext, u32(allocationContext.id), Buffer.from(allocationContext.name))
        }
        reply(optionReplies.acknowledged)
        break
      }
      default:
        reply(optionReplies.unsupported)
    }
  }
}

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

function nameIn(data: Buffer): string | undefined {
  return textAt(data, 0)?.text
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
