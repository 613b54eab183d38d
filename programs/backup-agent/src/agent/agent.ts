import { existsSync } from 'node:fs'
import { type AgentMessage, originOf } from '@palisade/agent-protocol'
import { type Log, newRequestId, withRequestId } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { Backoff } from '../backoff.ts'
import { type BackupSettings, defaultBackupSettings } from '../backup/settings.ts'
import { ComparisonQueue } from '../compare/comparison-queue.ts'
import { AllowedDestinations } from '../destinations/allowed-destinations.ts'
import { type OwnKey, openOwnKey } from '../end-to-end/own-key.ts'
import { OwnKeyMemory } from '../end-to-end/own-key-memory.ts'
import { Hosts } from '../hosts/hosts.ts'
import { type Identity, ownIdentity } from '../identity.ts'
import { type FolderFacts, folderFacts } from '../machine/folder-facts.ts'
import { whyReplaceable } from '../machine/replaceable-folder.ts'
import { AddressRounds } from '../server/address-rounds.ts'
import { serverAddresses } from '../server/addresses.ts'
import { isReadableOnTheWay, type ServerConnection, type Trust } from '../server/connection.ts'
import { enrol } from '../server/enrolment.ts'
import { Link, type LinkListener } from '../server/link.ts'
import {
  isOfCertificate,
  isOfCertificateDate,
  isOfUnreachable,
  isTransient,
  RequestRefused,
} from '../server/request-failure.ts'
import type { RetryPolicy } from '../server/retry-request.ts'
import { CredentialFile, type WantedMembership } from '../state/credential.ts'
import { Journal } from '../state/journal.ts'
import { RestoredFiles } from '../state/restored-files.ts'
import { type StateDirectory, takeStateDirectory } from '../state/state-directory.ts'
import { ChangeTracking } from '../tracking/change-tracking.ts'
import { Snapshots } from '../volumes/snapshots/snapshots.ts'
import type { ChunkWorkers } from '../workers/chunk-workers.ts'
import { answerQuestion, isQuestion, type Question } from './answer-question.ts'
import { TaskRunner } from './task-runner.ts'

/** What the command line says of an agent. */
export interface AgentOptions {
  readonly membership: WantedMembership
  /** Needed until the computer is enrolled, and when the server no longer accepts its credential. */
  readonly enrolmentKey: string | undefined
  readonly stateDirectory: string
  readonly trust: Trust
  /** How long tasks go on trying while the server cannot be reached. */
  readonly retryPolicy: RetryPolicy
  /** Where servers of network shares listen; 445 unless given. */
  readonly sharePort?: number
  /** Whether disks that are restored are read back from the disk, and not from the system's cache; not unless given. */
  readonly verifiesFromDisk?: boolean
  /** What differs from {@link defaultBackupSettings}. */
  readonly backup?: Partial<BackupSettings>
  /** The file with the key that this computer's backups are sealed with end to end; the server's keys when left out. */
  readonly endToEndKeyFile?: string
  /** Whether restores may write to network shares what was sealed with it; not unless given. */
  readonly endToEndShares?: boolean
  /** The hypervisors that machines can be restored to; none unless given, but Hyper-V on Windows. */
  readonly hosts?: Hosts
  /** Folders and shares that restores may write to, beside a folder in the state directory; none unless given. */
  readonly restoreTo?: readonly string[]
  /** How folders are looked at; tests stand in for file systems that are not here. */
  readonly factsOf?: (path: string) => Promise<FolderFacts>
}

/** What an agent runs on; tests give their own. */
export interface AgentDependencies {
  readonly log: Log
  /** They belong to the caller, who stops them when the agent has ended. */
  readonly workers: ChunkWorkers
  /** Aborted when the agent is to end. */
  readonly signal: AbortSignal
}

/** The longest delay after a refusal, in longest delays after a lost link: five minutes. */
const refusalsWaitLonger = 20

/** How many questions of the server are answered at a time: more than any operator asks. */
const questionsMax = 32
/** The longest is about a revision with the frame of its disk, of 30 KB. */
const questionSizeMaxBytes = 256 * 1024

/** The agent cannot continue until an operator acts. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused'
}

/**
 * Runs the agent until the signal is aborted: settles what the last run left, enrols, keeps the link and does
 * what the server says.
 *
 * @throws AgentRefused when the server does not accept the first enrolment; later on it is asked again and again
 * @throws OwnKeyRefused when the computer's backups are sealed with another key than the one that is named
 * @throws Error when another agent uses the state directory
 */
export async function runAgent(
  options: AgentOptions,
  { log, workers, signal }: AgentDependencies,
): Promise<void> {
  const { trust, stateDirectory, retryPolicy } = options
  const { serverUrls } = options.membership
  const backup = { ...defaultBackupSettings, ...options.backup }
  if (serverUrls.some(isReadableOnTheWay)) {
    log.warn('the connection to the server is not encrypted; use https')
  }
  const missing = backup.volumes.images.filter((image) => !existsSync(image))
  for (const image of missing) log.warn({ image }, 'an image that may be read is not there')
  const state = takeStateDirectory(stateDirectory)
  const why = await whyReplaceable(stateDirectory)
  if (why !== undefined) log.warn({ stateDirectory }, `another user can replace the state directory: ${why}`)
  const ownKey = await ownKeyOf(options, state, log)
  const journal = await Journal.open(state.journalDirectory, (name) =>
    log.error({ name }, 'moved a damaged journal record aside'),
  )
  const credentials = await CredentialFile.open(state.credentialFile, options.membership)
  const { membership } = credentials
  const identity = ownIdentity()
  const addresses = serverAddresses(serverUrls)
  let connection: ServerConnection = { addresses, credential: credentials.credential ?? '', trust }
  let link: Link | undefined
  const snapshots = new Snapshots(state.snapshotDirectory, log)
  const { keptDirectory: directory } = state
  const tracking = new ChangeTracking({ directory, settings: backup.tracking, membership, snapshots, log })
  const { hosts = new Hosts(), factsOf = (path: string) => folderFacts(path, log) } = options
  const send = (message: AgentMessage) => link?.send(message)
  const destinations = new AllowedDestinations([state.restoreDirectory, ...(options.restoreTo ?? [])])
  const restored = new RestoredFiles(state.restoredFile)
  const runner = new TaskRunner({
    hosts,
    destinations,
    journal,
    workers,
    workDirectory: state.workDirectory,
    retryPolicy,
    backup,
    ownKey,
    snapshots,
    tracking,
    sharePort: options.sharePort,
    verifiesFromDisk: options.verifiesFromDisk ?? false,
    restored,
    log,
    connection: () => connection,
    send,
  })
  const about = { hosts, destinations, factsOf, retryPolicy, ownKey, restored, volumes: backup.volumes, log }
  const comparisons = new ComparisonQueue()
  let questionsOpen = 0
  const answer = async (question: Question, sizeBytes: number, answering: AbortSignal) => {
    if (sizeBytes > questionSizeMaxBytes) throw new Error('the question is longer than any')
    if (questionsOpen >= questionsMax) throw new Error(`${questionsMax} other questions are not answered yet`)
    questionsOpen++
    try {
      const shares = runner.shareSettings()
      send(await answerQuestion(question, { ...about, comparisons, connection, shares, signal: answering }))
    } finally {
      questionsOpen--
    }
  }
  /** Aborted when the link is lost: nobody hears an answer then. */
  let asking = new AbortController()
  // An operator has to act, or another server has the address for a while: there is no hurry.
  const refusals = new Backoff({ ...retryPolicy, largestMs: retryPolicy.largestMs * refusalsWaitLonger })
  const listener: LinkListener = {
    hello: () => helloOf(identity, runner, ownKey, destinations),
    onConnected: (serverUrl, protocol) => {
      log.info({ ...membership, serverUrl, protocol }, 'connected')
      refusals.reset()
      runner.repeat()
    },
    onLost: () => {
      asking.abort(new Error('the link to the server was lost'))
      asking = new AbortController()
    },
    onMessage: (message, sizeBytes) => {
      const answering = AbortSignal.any([signal, asking.signal])
      const obey = () =>
        isQuestion(message) ? answer(message, sizeBytes, answering) : runner.take(message, sizeBytes)
      // A server of an earlier release does not say what its messages come of.
      withRequestId(originOf(message)?.requestId ?? newRequestId(), obey).catch((error) => {
        // Expected while the agent stops, and when the server that asked has gone.
        log[answering.aborted ? 'info' : 'error'](`${message.type} failed: ${describe(error)}`)
      })
    },
  }
  try {
    await tracking.recover()
    await runner.recover()
    let { credential } = credentials
    if (credential === undefined) {
      credential = await enrolPatiently(options, identity, connection, log, signal)
      await credentials.keep(credential)
    }
    for (;;) {
      connection = { ...connection, credential }
      link = new Link(connection, listener, log)
      if ((await link.keep(signal)) === 'credential-refused') {
        log.warn(
          'the server no longer accepts the credential: was it revoked, or did another agent enrol as this computer? ' +
            'Only one agent can run as a computer: stop the other one, or give it a computer of its own',
        )
        // The old one stays until there is another: it is good again when another server was at the address for a while.
        const renewed = await tryToEnrol(options, identity, connection, log, signal)
        if (renewed !== undefined) {
          credential = renewed
          await credentials.keep(credential)
        }
      }
      await refusals.wait(signal, (delayMs) => log.info({ delayMs }, 'waiting before the next attempt'))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await runner.stop()
    state.release()
  }
}

function helloOf(
  { agentVersion, hostName, platform }: Identity,
  runner: TaskRunner,
  ownKey: OwnKey | undefined,
  { names: restoreTo }: AllowedDestinations,
): AgentMessage {
  const keyCheck = ownKey === undefined ? {} : { endToEndKeyCheck: ownKey.keyCheck }
  const running = runner.running()
  const offers = { restoreTo: [...restoreTo], checksSources: true, servesDisks: process.platform !== 'win32' }
  return { type: 'hello', agentVersion, hostName, platform, running, ...offers, ...keyCheck }
}

async function ownKeyOf(
  { endToEndKeyFile: file, endToEndShares: sharesAllowed = false, membership }: AgentOptions,
  state: StateDirectory,
  log: Log,
): Promise<OwnKey | undefined> {
  try {
    return await openOwnKey({ file, sharesAllowed }, membership, new OwnKeyMemory(state.ownKeyFile), log)
  } catch (error) {
    state.release()
    throw error
  }
}

/**
 * Enrols a computer anew whose credential the server does not accept.
 *
 * @returns undefined when it does not take the key either, or there is none
 */
async function tryToEnrol(
  { membership: { account, computer }, enrolmentKey }: AgentOptions,
  identity: Identity,
  server: ServerConnection,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (enrolmentKey === undefined) {
    log.warn('no enrolment key to enrol again with (--key-file); retrying with the credential')
    return undefined
  }
  try {
    const applicant = { account, computer, enrolmentKey }
    const { credential, computerName } = await enrol(applicant, identity, server, signal)
    log.info(`enrolled as ${computerName}`)
    return credential
  } catch (error) {
    signal.throwIfAborted()
    log.warn(`the server does not enrol this computer either: ${describe(error)}; trying again`)
    return undefined
  }
}

/** Enrols, however long it takes until a server can be reached. */
async function enrolPatiently(
  { membership: { account, computer }, enrolmentKey }: AgentOptions,
  identity: Identity,
  server: ServerConnection,
  log: Log,
  signal: AbortSignal,
): Promise<string> {
  if (enrolmentKey === undefined) {
    throw new AgentRefused('this computer is not enrolled; give its enrolment key with --key-file or --key')
  }
  const applicant = { account, computer, enrolmentKey }
  const rounds = new AddressRounds(server.addresses)
  for (;;) {
    try {
      const { credential, computerName } = await enrol(applicant, identity, server, signal)
      log.info(`enrolled as ${computerName}`)
      return credential
    } catch (error) {
      if (error instanceof RequestRefused && !isTransient(error)) {
        throw new AgentRefused('the server does not enrol this computer', { cause: error })
      }
      if (isOfCertificateDate(error) && rounds.isOver) {
        throw new AgentRefused(
          `the server's certificate is not valid at this time (${describe(error)}): have it renewed on the server, or set the clock of this computer`,
        )
      }
      if (isOfCertificate(error) && rounds.isOver) {
        throw new AgentRefused(
          `the server's certificate is not trusted (${describe(error)}); name it with --ca. ` +
            'A certificate that the server made itself is in the command that the console shows for this computer',
        )
      }
      if (!isOfUnreachable(error) && !isTransient(error)) throw error
      log.warn(`cannot reach the server to enrol: ${describe(error)}`)
      await rounds.wait(signal)
    }
  }
}
