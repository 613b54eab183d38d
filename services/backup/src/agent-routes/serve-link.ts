import { once } from 'node:events'
import {
  type AgentMessage,
  failureMessageLengthMax,
  type OriginatedMessage,
  parseAgentMessage,
  type ServedDisks,
} from '@palisade/agent-protocol'
import type { Clock, Log } from '@palisade/platform'
import { WebSocket } from 'ws'
import type { AgentLink, AgentLinks } from '../agents/agent-links.ts'
import type { Dispatch } from '../agents/dispatch.ts'
import type { HostQuestions } from '../agents/host-questions.ts'
import type { SourceQuestions } from '../agents/source-questions.ts'
import type { VolumeQuestions } from '../agents/volume-questions.ts'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { SetChecks } from '../sets/set-checks.ts'
import type { SetRuns } from '../sets/set-runs.ts'
import { singleLine } from '../single-line.ts'
import type { TaskKind } from '../tables.ts'
import type { LiveProgress } from '../tasks/live-progress.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { DiskComparisons } from '../upkeep/disk-comparisons.ts'
import { describeAgent } from './agent-description.ts'
import { type Heartbeat, keepAlive } from './heartbeat.ts'
import type { LinkWork } from './link-work.ts'

/** What is told of the messages of agents, and what is asked before they are answered. */
export interface LinkDependencies {
  readonly links: AgentLinks
  readonly computers: Computers
  readonly tasks: Tasks
  readonly progress: LiveProgress
  readonly dispatch: Dispatch
  readonly questions: VolumeQuestions
  readonly sourceQuestions: SourceQuestions
  readonly setChecks: SetChecks
  readonly hostQuestions: HostQuestions
  readonly comparisons: DiskComparisons
  readonly runs: SetRuns
  readonly heartbeat: Heartbeat
  readonly work: LinkWork
  readonly clock: Clock
  readonly log: Log
}

const stepLengthMax = 100
/** That of paths, which are longer than what is shown of them elsewhere. */
const placeLengthMax = 4096
/** Close codes of RFC 6455, section 7.4.1. */
const policyViolation = 1008
const internalError = 1011

/** A peer that does not answer the farewell is cut off after this long. */
const farewellMs = 1000

/** An agent that is there answers a ping sooner than this, over any network. */
const answerMaxMs = 3000

/** How often it is noted in the store that an agent is still there. */
const noteSeenEveryMs = 60_000

/** An agent whose credential was checked. */
export interface LinkedAgent {
  readonly computer: ComputerId
  /** The version of the protocol that both sides speak. */
  readonly protocol: number
  /** Which process it is, if it says so. */
  readonly instance: string | undefined
  readonly address: string
}

/** Serves the link of an agent. The computer is online until the connection ends. */
export function serveLink(socket: WebSocket, agent: LinkedAgent, deps: LinkDependencies): void {
  const { computer } = agent
  const link = new Link(socket, agent, deps)
  keepAlive(socket, deps.heartbeat)
  // What the link before was asked is answered by nobody.
  if (deps.links.isOnline(computer)) giveUpQuestions(computer, deps)
  deps.links.add(link)
  socket.on('message', (data, isBinary) => link.receive(isBinary ? '' : data.toString()))
  socket.on('pong', () => link.heardOf())
  socket.once('close', (code) => link.ended(code))
}

function giveUpQuestions(
  computer: ComputerId,
  { questions, sourceQuestions, hostQuestions, comparisons }: LinkDependencies,
): void {
  comparisons.giveUp(computer)
  sourceQuestions.giveUp(computer)
  questions.giveUp(computer)
  hostQuestions.giveUp(computer)
}

function withSingleLines({ socketPath, failures, lastFailure }: ServedDisks): ServedDisks {
  const failure =
    lastFailure === undefined ? {} : { lastFailure: singleLine(lastFailure, failureMessageLengthMax) }
  return { socketPath: singleLine(socketPath, placeLengthMax), failures, ...failure }
}

class Link implements AgentLink {
  readonly computer: ComputerId
  readonly instance: string | undefined
  readonly address: string
  checksSources = false
  servesDisks = false
  restoreTo: readonly string[] | null = null
  readonly #socket: WebSocket
  readonly #protocol: number
  readonly #deps: LinkDependencies
  /** The tasks whose progress is believed: those that were unfinished when last looked up. */
  readonly #ownTasks = new Set<string>()
  /** Messages are dealt with one after another. */
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  #saidUnknown = false
  #notedSeenAt: number

  constructor(
    socket: WebSocket,
    { computer, protocol, instance, address }: LinkedAgent,
    deps: LinkDependencies,
  ) {
    this.#socket = socket
    this.computer = computer
    this.instance = instance
    this.address = address
    this.#protocol = protocol
    this.#deps = deps
    this.#notedSeenAt = deps.clock.now()
  }

  send(message: OriginatedMessage): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  async answers(): Promise<boolean> {
    if (this.#socket.readyState !== WebSocket.OPEN) return false
    const pong = once(this.#socket, 'pong', { signal: AbortSignal.timeout(answerMaxMs) })
    this.#socket.ping()
    return pong.then(
      () => this.#socket.readyState === WebSocket.OPEN,
      () => false,
    )
  }

  cut(reason: string): void {
    this.#socket.close(policyViolation, reason)
    setTimeout(() => this.#socket.terminate(), farewellMs).unref()
  }

  receive(text: string): void {
    const message = parseAgentMessage(text)
    if (message) this.#inTurn(() => this.#take(message))
    else this.#noteUnknown()
  }

  /** A newer agent may say what is not known here; one in other hands fills no log with it. */
  #noteUnknown(): void {
    if (this.#saidUnknown) return
    this.#saidUnknown = true
    this.#deps.log.warn(
      { computer: domainOf(this.computer) },
      'an agent sent a message that is not known; of further ones over this link nothing is logged',
    )
  }

  /** The agent answers pings. */
  heardOf(): void {
    const now = this.#deps.clock.now()
    if (now - this.#notedSeenAt < noteSeenEveryMs) return
    this.#notedSeenAt = now
    this.#inTurn(() => this.#deps.computers.noteSeen(this.computer))
  }

  ended(code: number): void {
    const { links, computers, log } = this.#deps
    const wasCurrent = links.isCurrent(this)
    links.remove(this)
    if (!wasCurrent) return
    giveUpQuestions(this.computer, this.#deps)
    log.info({ computer: domainOf(this.computer), code }, 'an agent is offline')
    this.#inTurn(() => computers.noteSeen(this.computer))
  }

  /** While a message is being dealt with, no further ones are read: a flood of them waits in the network. */
  #inTurn(work: () => Promise<void>): void {
    if (this.#waiting++ === 0) this.#socket.pause()
    this.#last = this.#last
      .then(() => this.#deps.work.run(work))
      .catch((err: unknown) => {
        const level = this.#deps.work.isClosed ? 'info' : 'error'
        this.#deps.log[level]({ err, computer: domainOf(this.computer) }, 'a message of an agent failed')
        // The agent connects again and repeats what matters.
        this.#socket.close(internalError)
      })
      .finally(() => {
        if (--this.#waiting === 0) this.#socket.resume()
      })
  }

  async #take(message: AgentMessage): Promise<void> {
    if (!this.#deps.links.isCurrent(this)) return
    if (message.type === 'hello') return this.#hello(message)
    if (message.type === 'volumes') return this.#deps.questions.take(this.computer, message)
    if (message.type === 'sources-checked') return this.#deps.sourceQuestions.take(this.computer, message)
    if (message.type === 'compared') return this.#deps.comparisons.take(this.computer, message)
    if (message.type === 'host-answer') return this.#deps.hostQuestions.take(this.computer, message)
    if (message.type === 'finished') {
      this.#ownTasks.delete(message.id)
      await this.#deps.dispatch.finish(this.computer, message)
      return this.#deps.runs.taskEnded(message.id)
    }
    if (message.type === 'disks-served')
      return this.#deps.tasks.noteServed(this.computer, message.id, withSingleLines(message.served))
    if (await this.#isOwn(message)) {
      const { step, bytesDone, bytesTotal } = message
      this.#deps.progress.note(message.id, { step: singleLine(step, stepLengthMax), bytesDone, bytesTotal })
    }
  }

  async #hello(message: Extract<AgentMessage, { type: 'hello' }>): Promise<void> {
    const { computers, dispatch, runs, setChecks, log } = this.#deps
    this.checksSources = message.checksSources ?? false
    this.servesDisks = message.servesDisks ?? false
    this.restoreTo = message.restoreTo?.map((place) => singleLine(place, placeLengthMax)) ?? null
    await computers.noteSeen(this.computer, describeAgent(message))
    log.info(
      { computer: domainOf(this.computer), address: this.address, protocol: this.#protocol },
      'an agent is online',
    )
    await this.#noteOwnKey(message.endToEndKeyCheck)
    await dispatch.resume(this.computer, message.running)
    await runs.agentIsThere(this.computer)
    setChecks.agentIsThere(this.computer)
  }

  /** The key that an agent seals its chunks with is the computer's from then on. */
  async #noteOwnKey(keyCheck: string | undefined): Promise<void> {
    const { computers, log } = this.#deps
    if (keyCheck === undefined || (await computers.noteEndToEndKey(this.computer, keyCheck))) return
    log.warn(
      { computer: domainOf(this.computer), keyCheck },
      "an agent has another end-to-end key than the one that the computer's backups are sealed with",
    )
  }

  /** Whether the progress is about an unfinished task of this computer. */
  async #isOwn({ task, id }: { task: TaskKind; id: string }): Promise<boolean> {
    if (this.#ownTasks.has(id)) return true
    const isOwn = await this.#deps.tasks.isUnfinished(this.computer, task, id)
    if (isOwn) this.#ownTasks.add(id)
    return isOwn
  }
}
