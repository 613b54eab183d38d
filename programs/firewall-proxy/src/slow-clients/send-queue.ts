import type { Socket } from 'node:net'
import koffi from 'koffi'

/**
 * `SIOCOUTQ` of Linux (tcp(7)): the bytes in a socket's send queue that the other side has not acknowledged. The number is that of
 * `TIOCOUTQ`, which is the same on the machines that Node is built for, MIPS and PowerPC apart.
 */
const outputQueue = 0x5411
const architectures: ReadonlySet<string> = new Set([
  'x64',
  'arm64',
  'arm',
  'ia32',
  'riscv64',
  'loong64',
  's390x',
])

/** `TCP_NOTSENT_LOWAT` at the level of `IPPROTO_TCP`, as Linux numbers them (tcp(7)). */
const tcpLevel = 6
const notSentLowMark = 25

/**
 * How much the system takes for a connection beyond what is on its way: enough for a fast client until this process looks again. Left
 * to itself, Linux takes some megabytes for each client, whether that reads or not.
 */
const notSentMax = new Int32Array([128 * 1024])

interface SystemCalls {
  readonly ioctl: (descriptor: number, request: number, value: Int32Array) => number
  readonly setsockopt: (
    descriptor: number,
    level: number,
    option: number,
    value: Int32Array,
    bytes: number,
  ) => number
}

const system = loadSystemCalls()
const answer = new Int32Array(1)

/** Whether the system tells what waits in its queues. */
export const seesSendQueues = system !== undefined

/** How many bytes the system holds that the client has not taken; 0 where the system does not tell, or the socket is closed. */
export function sendQueueBytes(socket: Socket): number {
  const descriptor = descriptorOf(socket)
  if (system === undefined || descriptor === undefined) return 0
  return system.ioctl(descriptor, outputQueue, answer) === 0 ? (answer[0] ?? 0) : 0
}

/**
 * Lets the system hold little for a client that does not read, so that many of them take neither its memory nor the time to fill it.
 * Does nothing where that cannot be said.
 */
export function limitSendQueue(socket: Socket): void {
  const descriptor = descriptorOf(socket)
  if (system === undefined || descriptor === undefined) return
  system.setsockopt(descriptor, tcpLevel, notSentLowMark, notSentMax, notSentMax.byteLength)
}

/** Node keeps it in its handle and documents no other way to it. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: number } | null }
  const descriptor = handle?.fd
  return descriptor !== undefined && descriptor >= 0 ? descriptor : undefined
}

function loadSystemCalls(): SystemCalls | undefined {
  if (process.platform !== 'linux' || !architectures.has(process.arch)) return undefined
  try {
    const library = koffi.load('libc.so.6')
    return {
      ioctl: library.func('int ioctl(int, unsigned long, _Out_ int *)'),
      setsockopt: library.func('int setsockopt(int, int, int, int *, unsigned int)'),
    }
  } catch {
    // Another C library: what the system holds stays unseen, as on other systems.
    return undefined
  }
}
