/**
 * The network block device protocol (https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md), as far as a
 * server needs it that lets disks be read: fixed newstyle negotiation, structured replies, and `base:allocation`.
 *
 *     server  "NBDMAGIC" "IHAVEOPT" flags u16
 *     client  flags u32
 *     client  "IHAVEOPT" option u32  length u32  data        server  magic u64  option u32  type u32  length u32  data
 *     client  magic u32  flags u16  type u16  cookie u64  offset u64  length u32
 *     server  magic u32  error u32  cookie u64  data                                    simple reply
 *     server  magic u32  flags u16  type u16  cookie u64  length u32  data              chunk of a structured reply
 *
 * All integers are big-endian.
 */
export const greetingMagic = Buffer.from('NBDMAGICIHAVEOPT', 'latin1')
/** In front of each option of a client ("IHAVEOPT"). */
export const optionMagic = Buffer.from('IHAVEOPT', 'latin1')
/** In front of each reply to an option. */
export const optionReplyMagic = Buffer.from('0003e889045565a9', 'hex')
/** In front of each request, big-endian like all numbers of NBD. */
export const requestMagic = 0x2560_9513
/** In front of a reply without structured replies. */
export const simpleReplyMagic = 0x6744_6698
/** In front of each chunk of a structured reply. */
export const structuredReplyMagic = 0x668e_33ef

/** Of the server's greeting and of the client's answer. */
export const handshakeFlags = { fixedNewstyle: 1, noZeroes: 2 } as const

/** Numbers of a client's options (NBD_OPT_…). */
export const options = {
  exportName: 1,
  abort: 2,
  list: 3,
  info: 6,
  go: 7,
  structuredReply: 8,
  listMetaContext: 9,
  setMetaContext: 10,
} as const

/** Types of replies to options (NBD_REP_…); errors have the highest bit set. */
export const optionReplies = {
  acknowledged: 1,
  server: 2,
  info: 3,
  metaContext: 4,
  unsupported: 0x8000_0001,
  invalid: 0x8000_0003,
  unknownExport: 0x8000_0006,
} as const

/** What an `info` reply is about (NBD_INFO_…). */
export const infoTypes = { export: 0, blockSize: 3 } as const

/** Has flags, read only, flush, don't fragment, several connections. */
export const transmissionFlags = 0b1_1000_0111

/** Types of requests (NBD_CMD_…), the refused ones too. */
export const commands = { read: 0, write: 1, disconnect: 2, flush: 3, blockStatus: 7 } as const

/** Of a request for block status: only its first extent is wanted. */
export const oneExtentFlag = 8

/** Types of the chunks of structured replies (NBD_REPLY_TYPE_…); errors have bit 15 set. */
export const replyChunks = { none: 0, data: 1, hole: 2, blockStatus: 5, error: 0x8001 } as const
/** The chunk is the last one of its reply (NBD_REPLY_FLAG_DONE). */
export const lastChunkFlag = 1

/** Numbers of errors on the wire, whatever the system's are. */
export const errors = { notPermitted: 1, io: 5, invalid: 22, unsupported: 95 } as const

/** The one metadata context: its name, the number that it has here, and the flags of zeros that take no room (STATE_HOLE, STATE_ZERO). */
export const allocationContext = { name: 'base:allocation', id: 1, holeOfZeros: 3 } as const

/** What a client may ask for at once; the protocol asks servers to allow this. */
export const readSizeBytesMax = 32 * 1024 * 1024
/** Options are names and lists of names. */
export const optionSizeBytesMax = 64 * 1024
