/**
 * Many agents in one process: each enrols, keeps a link, answers the server's pings, and takes backups without doing them.
 * Arguments: the address of the backup service, the account, the enrolment key, and the ids of the computers. What happens is
 * said in lines of JSON, see `AgentsLine`.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** One line of this program. */
export type AgentsLine =
  | { readonly what: 'connected'; readonly computer: string }
  /** A link has answered so many pings of the server. */
  | { readonly what: 'pinged'; readonly computer: string; readonly count: number }
  | { readonly what: 'closed'; readonly computer: string; readonly code: number }
  /** A backup was begun; the time is in milliseconds since 1970. */
  | { readonly what: 'command'; readonly computer: string; readonly id: string; readonly atMs: number }

const [baseUrl = '', account = '', enrolmentKey = '', ...computers] = process.argv.slice(2)
const identity = { agentVersion: '1.0.0', hostName: 'HOST', platform: 'linux' }
/** How many agents enrol and connect at a time. */
const beginnersMax = 8

function say(line: AgentsLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

async function enrol(computer: string): Promise<string> {
  const reply = await fetch(`${baseUrl}/agent/v1/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, computer, enrolmentKey, ...identity }),
  })
  if (!reply.ok) throw new Error(`${computer}: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { credential: string }).credential
}

async function connect(computer: string): Promise<void> {
  const authorization = `Bearer ${await enrol(computer)}`
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/agent/v1/link`, {
    headers: { authorization },
  })
  let count = 0
  socket.on('ping', () => say({ what: 'pinged', computer, count: ++count }))
  socket.on('close', (code) => say({ what: 'closed', computer, code }))
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { type: string; id: string }
    if (message.type !== 'start-backup') return
    const { id } = message
    say({ what: 'command', computer, id, atMs: Date.now() })
    socket.send(JSON.stringify({ type: 'finished', task: 'backup', id, outcome: { state: 'CANCELED' } }))
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', ...identity, running: [] }))
  say({ what: 'connected', computer })
}

const waiting = computers.values()
await Promise.all(
  Array.from({ length: beginnersMax }, async () => {
    for (const computer of waiting) await connect(computer)
  }),
)
