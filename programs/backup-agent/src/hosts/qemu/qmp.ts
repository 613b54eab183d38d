/**
 * QEMU's control protocol on a local socket: JSON objects, one a line. QEMU greets, the client leaves the negotiation with
 * `qmp_capabilities`, and then each command gets one reply; events may stand in between. QEMU serves one client at a time,
 * others wait for its greeting, so a client stays no longer than it must.
 * (QEMU's documentation, "QEMU Machine Protocol Specification")
 */
import { createConnection, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { isRecord } from '../../json.ts'

export interface QmpCommand {
  readonly execute: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/**
 * Connects, gives one command and resolves to what it returns. QEMU may end instead of answering `quit`.
 *
 * @param socketPath at most 107 bytes, which is what Linux has room for
 * @throws the system's error when nobody listens, or when QEMU ends or does not answer in time
 */
export async function qmp(socketPath: string, command: QmpCommand, timeoutMs = 5_000): Promise<unknown> {
  const socket = createConnection(socketPath)
  const tooLate = setTimeout(() => socket.destroy(new Error('QEMU does not answer')), timeoutMs)
  try {
    return await converse(socket, command)
  } finally {
    clearTimeout(tooLate)
    socket.destroy()
  }
}

async function converse(socket: Socket, command: QmpCommand): Promise<unknown> {
  const failed = new Promise<never>((_resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('QEMU closed the connection')))
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
  send(command)
  return await receive('return')
}
