import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { createLog } from '@palisade/log'
import { type AgentOptions, runAgent } from '../../agent/agent.ts'
import { ownDisks } from '../../volumes/choice.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { LastingWorkers } from './lasting-workers.ts'
import { ProtocolServer } from './protocol-server.ts'

/** Those of the Samba server that tests start, and some that it does not have. */
const sharesOfTests = [
  ...['data', 'open', 'closed', 'readonly', 'share', 'missing', 'nothing'].map(
    (name) => `//127.0.0.1/${name}`,
  ),
  '//no-such-host.invalid/data',
]

/** Images of tests may be read. */
const filesOfTests = { ...ownDisks, include: [`${tmpdir()}/*`] }

/** Shared by all agents of a test file: starting threads takes longer than most tests. */
const workers = new LastingWorkers()
after(() => endThreads())

/** Ends the threads that agents of this file have started; the next work starts them anew. */
export function endThreads(): Promise<void> {
  return workers.stop()
}

/** What differs from the usual agent, and the server's certificate when it is to have one. */
type Settings = [overrides?: Partial<AgentOptions>, certificate?: { cert: string; key: string }]

/** An agent in this process, with a server to talk to and a directory of its own. */
export class TestAgent {
  readonly server: ProtocolServer
  readonly directory: string
  /** What the agent has logged, a line each. */
  readonly log: string[] = []
  readonly #overrides: Partial<AgentOptions>
  #stop = new AbortController()
  #ended: Promise<void> = Promise.resolve()

  private constructor(server: ProtocolServer, directory: string, overrides: Partial<AgentOptions>) {
    this.server = server
    this.directory = directory
    this.#overrides = overrides
  }

  /** Both are running and connected. They are ended with the test. */
  static async start(t: TestContext, ...settings: Settings): Promise<TestAgent> {
    const agent = await TestAgent.prepare(t, ...settings)
    await agent.start()
    return agent
  }

  /** The server is running; the agent can be started. */
  static async prepare(t: TestContext, ...[overrides = {}, certificate]: Settings): Promise<TestAgent> {
    const directory = temporaryDirectory(t)
    const server = await ProtocolServer.start(certificate)
    const agent = new TestAgent(server, directory, overrides)
    t.after(async () => {
      await agent.stop()
      await server.stop()
    })
    return agent
  }

  get stateDirectory(): string {
    return join(this.directory, 'state')
  }

  get target(): string {
    return join(this.directory, 'restored')
  }

  /** The address that the agent's link leads to, or led to last. */
  get linkedTo(): unknown {
    const connected = this.log.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'connected')
    return connected?.serverUrl
  }

  /** @param more what differs this time */
  async start(more: Partial<AgentOptions> = {}): Promise<void> {
    const hello = this.server.messageOf(({ type }) => type === 'hello')
    this.#stop = new AbortController()
    const options: AgentOptions = {
      membership: { serverUrls: [this.server.url], account: 'acme', computer: '0001' },
      enrolmentKey: this.server.enrolmentKey,
      stateDirectory: this.stateDirectory,
      trust: { insecure: false },
      restoreTo: [tmpdir(), ...sharesOfTests],
      retryPolicy: { firstMs: 5, largestMs: 50, giveUpAfterMs: 20_000 },
      ...this.#overrides,
      ...more,
      backup: { volumes: filesOfTests, ...this.#overrides.backup, ...more.backup },
    }
    const log = createLog('debug', { write: (line) => this.log.push(line) })
    this.#ended = runAgent(options, { log, workers, signal: this.#stop.signal })
    await Promise.race([hello, this.#ended])
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    // Why it ended was told to who started it.
    await this.#ended.catch(() => {})
  }
}
