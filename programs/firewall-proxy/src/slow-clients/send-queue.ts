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

type Ioctl = (descriptor: number, request: number, value: Int32Array) => number

const ioctl = loadIoctl()
const answer = new Int32Array(1)

/** Whether the system tells what waits in its queues. */
export const seesSendQueues = ioctl !== undefined

/** How many bytes the system holds that the client has not taken; 0 where the system does not tell, or the socket is closed. */
export function sendQueueBytes(socket: Socket): number {
  const descriptor = descriptorOf(socket)
  if (ioctl === undefined || descriptor === undefined) return 0
  return ioctl(descriptor, outputQueue, answer) === 0 ? (answer[0] ?? 0) : 0
}

/** Node keeps it in its handle and documents no other way to it. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: number } | null }
  const descriptor = handle?.fd
  return descriptor !== undefined && descriptor >= 0 ? descriptor : undefined
}

function loadIoctl(): Ioctl | undefined {
  if (process.platform !== 'linux' || !architectures.has(process.arch)) return undefined
  try {
    return koffi.load('libc.so.6').func('int ioctl(int, unsigned long, _Out_ int *)')
  } catch {
    // Another C library: what the system holds stays unseen, as on other systems.
    return undefined
  }
}
