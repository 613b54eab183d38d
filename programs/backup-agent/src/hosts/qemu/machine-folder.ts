/**
 * One directory per machine, named by its id, which is how a machine is known to be ours:
 *
 *     machine.json     its definition, written last and as a whole: without it the machine is unfinished
 *     variables.fd     UEFI only: the variable store, which belongs to this machine alone
 *     qemu.pid         which process it is, while it runs
 *     overlayN.qcow2   what the machine wrote to disk N while that is not complete: without it the disk is nothing
 *     serial.log       what the first serial line said since the last start
 *     origin           whoever lets it read disks that are not complete listens here
 *     run/             the one folder that QEMU may write in, which belongs to the machine's user
 *       qmp            QEMU listens here
 *       screen.*       what it was asked to show
 */

import { chmod, copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { isRecord } from '../../json.ts'
import { syncDirectory, writeDurably } from '../../state/write-durably.ts'
import { isMachineId } from '../check-definition.ts'
import { HostFailure } from '../failure.ts'
import type { MachineDefinition } from '../machine.ts'
import { runBounded } from '../run-bounded.ts'
import { giveTo, type MachineUser } from './machine-user.ts'
import { readEnd } from './read-end.ts'

/** How much of the end of a serial line is given. */
const serialBytesMaximum = 256 * 1024
const overlayTimeoutMs = 30_000

/** The folder of one machine, there or not: to construct it changes nothing on the disk. Paths are absolute where the root is. */
export class MachineFolder {
  readonly id: string
  readonly path: string
  readonly #root: string

  constructor(root: string, id: string) {
    this.id = id
    this.path = join(root, id)
    this.#root = root
  }

  /** Relative to the folder. */
  get socketName(): string {
    return join('run', 'qmp')
  }

  get socketPath(): string {
    return join(this.path, this.socketName)
  }

  /** Relative to the folder. */
  get originSocketName(): string {
    return 'origin'
  }

  get originSocketPath(): string {
    return join(this.path, this.originSocketName)
  }

  get variablesPath(): string {
    return join(this.path, 'variables.fd')
  }

  get serialPath(): string {
    return join(this.path, 'serial.log')
  }

  /** Makes the directory and all in it; what is there already stays. */
  async create(definition: MachineDefinition, variablesTemplate: string | undefined): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    if (variablesTemplate !== undefined) {
      await copyFile(variablesTemplate, `${this.variablesPath}.new`)
      await chmod(`${this.variablesPath}.new`, 0o600)
      await rename(`${this.variablesPath}.new`, this.variablesPath)
    }
    await writeDurably(join(this.path, 'machine.json'), `${JSON.stringify({ version: 1, definition })}\n`)
    await syncDirectory(this.#root)
  }

  async exists(): Promise<boolean> {
    return (await listMachineIds(this.#root)).includes(this.id)
  }

  /** Undefined when the machine is absent or unfinished. */
  async definition(): Promise<MachineDefinition | undefined> {
    const text = await readIfThere(join(this.path, 'machine.json'))
    if (text === undefined) return undefined
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || value.version !== 1 || !isRecord(value.definition)) {
      throw new Error(`${this.path}/machine.json was written by another version`)
    }
    return value.definition as unknown as MachineDefinition
  }

  /** The process that was started for it, if it was. */
  async pid(): Promise<number | undefined> {
    const pid = Number.parseInt((await readIfThere(join(this.path, 'qemu.pid'))) ?? '', 10)
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  }

  async notePid(pid: number): Promise<void> {
    await writeFile(join(this.path, 'qemu.pid'), `${pid}\n`, { mode: 0o600 })
  }

  /**
   * Takes away what an earlier QEMU left, and makes the folder that the next one may write in.
   *
   * @param user of the machine; nobody else may do anything in that folder
   */
  async prepareRun(user: MachineUser | undefined): Promise<void> {
    for (const name of ['qemu.pid', 'serial.log', 'run']) {
      await rm(join(this.path, name), { force: true, recursive: true })
    }
    // To others it is a way to that folder and to the socket of the origin, and shows nothing.
    await chmod(this.path, user === undefined ? 0o700 : 0o711)
    const path = join(this.path, 'run')
    await mkdir(path, { mode: 0o700 })
    await giveTo(path, user)
  }

  /**
   * Makes an empty file for what the machine writes to a disk that is not complete.
   *
   * @throws HostFailure
   */
  async makeOverlay(index: number, sizeBytes: number): Promise<void> {
    const path = this.overlayPath(index)
    // qemu-img would make one that everybody may read.
    await (await open(path, 'w', 0o600)).close()
    const result = await runBounded('qemu-img', ['create', '-q', '-f', 'qcow2', path, String(sizeBytes)], {
      timeoutMs: overlayTimeoutMs,
    })
    if (result.status === 0) return
    throw new HostFailure({ code: 'host-error' }, `qemu-img does not make ${path}: ${result.stderr.trim()}`)
  }

  /** The numbers of the disks that are not complete, ascending. */
  async overlays(): Promise<readonly number[]> {
    const names = (await this.exists()) ? await readdir(this.path) : []
    const numbers = names.flatMap((name) => /^overlay(\d+)\.qcow2$/.exec(name)?.[1] ?? [])
    return numbers.map(Number).toSorted((one, other) => one - other)
  }

  async removeOverlay(index: number): Promise<void> {
    await rm(this.overlayPath(index), { force: true })
  }

  overlayPath(index: number): string {
    return join(this.path, `overlay${index}.qcow2`)
  }

  async serialOutput(): Promise<Buffer> {
    try {
      return await readEnd(this.serialPath, serialBytesMaximum)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return Buffer.alloc(0)
      throw error
    }
  }

  /** The definition goes first: what is left after a kill is an unfinished machine. */
  async remove(): Promise<void> {
    await rm(join(this.path, 'machine.json'), { force: true })
    await rm(this.path, { recursive: true, force: true })
  }
}

/** All machines under a root, the unfinished ones too. */
export async function listMachineIds(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(root)).filter(isMachineId)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
