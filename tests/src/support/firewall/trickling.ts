import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** What connections do that never end what they have begun. */
interface Attack {
  readonly port: number
  readonly connections: number
  /** How many of them open each second. */
  readonly perSecond: number
  /** Sent once on each connection, and then again and again. */
  readonly beginning: string
  readonly piece: string
  readonly everyMs: number
}

/** What became of them when all had been closed by the other side. */
export interface Trickled {
  readonly opened: number
  /** How many heard an answer before their end. */
  readonly answered: number
  /** From the opening to the end of each connection, ascending. */
  readonly lastedMs: readonly number[]
}

/** Sends requests that never end, from a thread of its own. Ends when every connection was closed by the other side. */
export async function trickle(attack: Attack): Promise<Trickled> {
  const thread = new Worker(new URL(import.meta.url), { workerData: attack })
  const [message] = await once(thread, 'message')
  await thread.terminate()
  return message
}

async function attackOnce({
  port,
  beginning,
  piece,
  everyMs,
}: Attack): Promise<{ ms: number; isAnswered: boolean; isOpened: boolean }> {
  const openedAt = performance.now()
  const socket = connect(port, '127.0.0.1')
  let isAnswered = false
  let isOpened = false
  socket.on('error', () => undefined)
  socket.on('data', () => {
    isAnswered = true
  })
  socket.on('connect', () => {
    isOpened = true
    socket.write(beginning)
  })
  const sending = setInterval(() => {
    if (isOpened && socket.writable) socket.write(piece)
  }, everyMs)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  return { ms: performance.now() - openedAt, isAnswered, isOpened }
}

async function attackWith(attack: Attack): Promise<Trickled> {
  const all = Array.from({ length: attack.connections }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 1000) / attack.perSecond))
    return attackOnce(attack)
  })
  const ended = await Promise.all(all)
  return {
    opened: ended.filter(({ isOpened }) => isOpened).length,
    answered: ended.filter(({ isAnswered }) => isAnswered).length,
    lastedMs: ended.map(({ ms }) => ms).sort((one, other) => one - other),
  }
}

if (parentPort) parentPort.postMessage(await attackWith(workerData))
