/** What syslog knows about a line (RFC 5424, section 6). */
export interface SyslogFacts {
  /** 16 to 23: local0 to local7. */
  readonly facility: number
  /** 0 (Emergency) to 7 (Debug). */
  readonly severity: number
  /** In milliseconds since 1970. */
  readonly time: number
  readonly host: string
  /** Tells the logs apart. */
  readonly messageId: string
}

const application = 'palisade'

/** Longer messages are cut: receivers need take no more than 2,048 bytes, and commonly take 8,192 (section 6.1). */
const bytesMax = 8192

/** A message as it travels. */
export function syslogMessage(
  { facility, severity, time, host, messageId }: SyslogFacts,
  line: string,
): Buffer {
  const header = [
    `<${facility * 8 + severity}>1`,
    new Date(time).toISOString(),
    nameOf(host),
    application,
    String(process.pid),
    messageId,
    '-',
  ].join(' ')
  const message = Buffer.from(`${header} ${line}`)
  return message.length <= bytesMax ? message : withoutHalfCharacter(message.subarray(0, bytesMax))
}

/** A stream of messages is cut by their lengths (RFC 5425, section 4.3; RFC 6587, section 3.4.1). */
export function withLengthPrefix(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}

/** Printable ASCII without blanks; "-" for what has none. */
function nameOf(host: string): string {
  return host.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'
}

function withoutHalfCharacter(bytes: Buffer): Buffer {
  let end = bytes.length
  // A cut within a character leaves its first byte and some that continue it.
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[end - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    if (byte >= 0xc0 && back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2)) end -= back
    break
  }
  return bytes.subarray(0, end)
}
