import { setTimeout as sleep } from 'node:timers/promises'
import { destinationFailures, TaskFailure } from '../failure.ts'
import { isUnreachable, type SmbError } from '../shares/share-failure.ts'
import { type SharePath, uncOf } from '../shares/share-path.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import { type Answer, quoteName, SmbClient, type Transfer } from '../shares/smb-client.ts'
import type { Credentials } from '../state/credentials-seal.ts'
import type { Destination } from './destination.ts'
import { probeName } from './file-names.ts'

const attemptEveryMs = 1000
/** How often commands that may be repeated are tried while the server cannot be reached: it may come back. */
const attemptsToReachMax = 4
/** And while the server may still hold the file for a client that is gone, which it notices in its own time. */
const attemptsWhileHeldMax = 20
/** What servers say then. Some know of a file that is about to go only that nobody may have it. */
const heldByOthers: ReadonlySet<string> = new Set([
  ...['SHARING_VIOLATION', 'DELETE_PENDING', 'FILE_CLOSED', 'ACCESS_DENIED'],
])
const notThere: ReadonlySet<string> = new Set([
  'OBJECT_NAME_NOT_FOUND',
  'NO_SUCH_FILE',
  'OBJECT_PATH_NOT_FOUND',
])
const reservedNames: ReadonlySet<string> = new Set([
  'OBJECT_NAME_COLLISION',
  'OBJECT_NAME_EXISTS',
  'FILE_IS_A_DIRECTORY',
])

/**
 * The end of a line that lists a file: its size, and when it was written. (`allinfo` would be shorter, but says sizes
 * of 4 GiB and more without their upper half.)
 */
const listedFile = / (\d+) {2}\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/m

/** A folder on a share, by way of Samba's client. Several disks are written at a time, each as one forward stream. */
export class SmbFolder implements Destination {
  readonly folder: string
  readonly sealedCredentials?: string
  readonly #path: SharePath
  readonly #client: SmbClient

  /** @throws TaskFailure BackupSetActions_NetworkShareInvalidAuth for credentials that cannot be passed on */
  constructor(path: SharePath, credentials: Credentials | undefined, settings: ShareSettings) {
    this.#path = path
    this.folder = uncOf(path)
    this.#client = new SmbClient(path, credentials, settings)
    if (credentials !== undefined) this.sealedCredentials = settings.seal.seal(credentials)
  }

  async prepare(): Promise<void> {
    const { complaint } = await this.#askSpace()
    if (complaint === undefined) return
    if (!complaint.line.startsWith('cd ')) throw this.#client.failure(complaint)
    const { folders } = this.#path
    const commands = folders.map((_, index) => `mkdir ${quoteName(folders.slice(0, index + 1).join('\\'))}`)
    const { complaints } = await this.#client.run(commands, 'share')
    const refused = complaints.find(({ status }) => !reservedNames.has(status))
    const { complaint: still } = await this.#askSpace()
    if (still !== undefined) throw this.#client.failure(refused ?? still)
  }

  async probe<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
    const name = probeName()
    const { input, done } = this.#client.put(name)
    input.end()
    await done
    try {
      return await use(this.pathOf(name))
    } finally {
      await this.removePartial(this.pathOf(name))
    }
  }

  async freeBytes(): Promise<number> {
    const { output, complaint } = await this.#askSpace()
    if (complaint !== undefined) throw this.#client.failure(complaint)
    const [, blockSizeBytes, blocks] = /blocks of size (\d+)\. (\d+) blocks available/.exec(output) ?? []
    if (blocks !== undefined) return Number(blocks) * Number(blockSizeBytes)
    throw new TaskFailure(
      destinationFailures.createFolderFailed,
      `${this.folder}: the server does not say how much space is free`,
    )
  }

  pathOf(fileName: string): string {
    return uncOf(this.#path, fileName)
  }

  /** Beside the id there is nothing in these names that could mean anything on a command line. */
  partialPaths(restoreId: string, baseNames: readonly string[]): readonly string[] {
    return baseNames.map((_, index) => this.pathOf(`.palisade-${restoreId}-${index + 1}.partial`))
  }

  /** Begins to write a partial file, from its first byte to its last; one that an earlier run left is to be removed before. */
  startWriting(partialPath: string, signal: AbortSignal): Transfer {
    return this.#client.put(nameOf(partialPath), signal)
  }

  /** Begins to read a partial file, from its first byte to its last. */
  startReading(partialPath: string, signal: AbortSignal): Transfer {
    return this.#client.get(nameOf(partialPath), signal)
  }

  /** How large a file is; undefined when there is none. */
  async sizeOf(path: string): Promise<number | undefined> {
    const name = nameOf(path)
    const { output, complaint } = await this.#client.run([`ls ${quoteName(name)}`], 'folder')
    const [, sizeBytes] = listedFile.exec(output) ?? []
    if (sizeBytes !== undefined) return Number(sizeBytes)
    if (complaint === undefined || notThere.has(complaint.status)) return undefined
    throw this.#client.failure(complaint, name)
  }

  async removePartial(partialPath: string): Promise<void> {
    const name = nameOf(partialPath)
    await this.#repeat(`rm ${quoteName(name)}`, name, ({ complaint }) => {
      return complaint === undefined || notThere.has(complaint.status) || undefined
    })
  }

  /** SMB renames to a name that is taken only when asked to, and it is not. */
  async giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean> {
    const [partial, final] = [nameOf(partialPath), nameOf(finalPath)]
    let mayHaveName = wasAttempted
    const command = `rename ${quoteName(partial)} ${quoteName(final)}`
    return this.#repeat(command, final, async ({ complaint }) => {
      const hadName = mayHaveName
      mayHaveName = true
      if (complaint === undefined) return true
      if (reservedNames.has(complaint.status)) return false
      const isGone = hadName && notThere.has(complaint.status)
      return isGone && (await this.sizeOf(finalPath)) !== undefined ? true : undefined
    })
  }

  /** Enters the folder, and asks how much space is free there. */
  #askSpace(): Promise<Answer> {
    return this.#client.run(['du'], 'folder')
  }

  /** Runs a command until `settle` makes something of the answer, as long as its complaint may pass. */
  async #repeat<Result>(
    command: string,
    name: string,
    settle: (answer: Answer) => Promise<Result | undefined> | Result | undefined,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#client.run([command], 'folder')
      const settled = await settle(answer)
      if (settled !== undefined) return settled
      const { complaint = { line: answer.output, status: 'UNSUCCESSFUL' } } = answer
      const failure = this.#client.failure(complaint, name)
      if (attempt >= attemptsMaxFor(complaint, failure)) throw failure
      await sleep(attemptEveryMs)
    }
  }
}

/** How often a command is tried that meets such a complaint each time. */
function attemptsMaxFor({ status }: SmbError, failure: TaskFailure): number {
  if (heldByOthers.has(status)) return attemptsWhileHeldMax
  return isUnreachable(failure) ? attemptsToReachMax : 1
}

/** What a file is called in its folder. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1)
}
