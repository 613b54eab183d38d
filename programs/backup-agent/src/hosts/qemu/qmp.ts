/**
 * QEMU's control protocol on a local socket: JSON objects, one a line. QEMU greets, the client leaves the negotiation with
 * `qmp_capabilities`, and then each command gets one reply; events may stand in between. QEMU serves one client at a time,
 * others wait for its greeting, so a client stays no longer than it must.
 *
 * The socket is in a folder of the machine's own user. So QEMU is believed nothing but what it says of itself: a machine that is somebody
 * else's by now could have put a link to another machine's socket there, and is asked for its id first.
 * (QEMU's documentation, "QEMU Machine Protocol Specification")
 */
import { createConnection, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { isRecord } from '../../json.ts'

/** Where a machine's QEMU listens. */
export interface QmpPlace {
  readonly id: string
  /** At most 107 bytes, which is what Linux has room for. */
  readonly socketPath: string
}

/** More than QEMU says to any command of ours. */
const repliesMaxBytes = 1024 * 1024

/** One command, as it goes over the socket: `{ "execute": "quit" }`. */
export interface QmpCommand {
  readonly execute: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/**
 * Connects, gives one command and resolves to what it returns. QEMU may end instead of answering `quit`.
 *
 * @throws Error when QEMU is that of another machine, ends or does not answer in time; the system's error when nobody listens
 */
export async function qmp(
  { id, socketPath }: QmpPlace,
  command: QmpCommand,
  timeoutMs = 5_000,
): Promise<unknown> {
  const socket = createConnection(socketPath)
  const tooLate = setTimeout(() => socket.destroy(new Error('QEMU does not answer')), timeoutMs)
  try {
    return await converse(socket, id, command)
  } finally {
    clearTimeout(tooLate)
    socket.destroy()
  }
}

async function converse(socket: Socket, machineId: string, command: QmpCommand): Promise<unknown> {
  const failed = new Promise<never>((_resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('QEMU closed the connection')))
  })
  let repliesBytes = 0
  socket.on('data', (piece) => {
    repliesBytes += piece.length
    if (repliesBytes > repliesMaxBytes) socket.destroy(new Error('QEMU says more than it was asked'))
  })
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const receive = async (member: 'QMP' | 'return'): Promise<unknown> => {
    for (;;) {
      const { value: line, done } = await Promise.race([lines.next(), failed])
      if (done) throw new Error('QEMU closed the connection')
      const message: unknown = JSON.parse(line)
      if (!isRecord(message)) throw new Error('QEMU sent something that is no message')
      if (isRecord(message.error)) throw new Error(`QEMU refuses ${command.execute}: ${message.error.desc}`)
      if (member in message) return message[member]
    }
  }
  const send = (message: QmpCommand) => socket.write(`${JSON.stringify(message)}\n`)
  await receive('QMP')
  send({ execute: 'qmp_capabilities' })
  await receive('return')
  send({ execute: 'query-uuid' })
  const reply = await receive('return')
  if (!isRecord(reply) || reply.UUID !== machineId)
    throw new Error(`QEMU is not that of the machine ${machineId}`)
  send(command)
  return await receive('return')
}
