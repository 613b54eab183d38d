import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ChunkKeys } from '@palisade/vault'
import type { AgentOptions } from '../../agent/agent.ts'
import { TestAgent } from '../agent/test-agent.ts'
import { eventually } from '../eventually.ts'
import { revisionContent } from '../revisions/revision-content.ts'
import { hasTools, run } from '../tool.ts'
import { emptySharingFileSystem, type SharingFileSystem } from './sharing-file-system.ts'

const mebibyte = 1024 * 1024
/** Of the chunks of a tracked image. */
export const chunkSizeBytes = 64 * 1024
/** Of a tracked image, whose last chunk is a short one. */
export const sizeBytes = 24 * mebibyte + 512 * 3
export const chunkCount = Math.ceil(sizeBytes / chunkSizeBytes)

/** An image with data of which no two chunks are alike, and holes, alone on a file system; and an agent that backs it up. */
export class TrackedImage {
  readonly agent: TestAgent
  readonly folder: string
  readonly image: string
  /** What the agent seals with; what the server has given it when left out. */
  keys: ChunkKeys | undefined
  #backups = 0

  constructor(agent: TestAgent, folder: string) {
    this.agent = agent
    this.folder = folder
    this.image = join(folder, 'image.raw')
    agent.server.chunkSizeBytes = chunkSizeBytes
    const file = openSync(this.image, 'w')
    for (const at of [0, 5, 9, 16]) writeSync(file, randomBytes(3 * mebibyte), 0, 3 * mebibyte, at * mebibyte)
    closeSync(file)
    truncateSync(this.image, sizeBytes)
  }

  /** Backs the image up; the revision has to be what the image is. */
  async backUp(): Promise<number> {
    this.#backups++
    const revision = await this.agent.server.backUp(`b${this.#backups}`, { path: this.image })
    assert.ok(revisionContent(this.agent.server, revision, this.keys).equals(readFileSync(this.image)))
    return revision
  }

  /** How many chunks of the last backup were not read. */
  get unread(): number {
    const last = this.said('unchangedAndStored').at(-1) ?? ''
    return Number(/"unchangedAndStored":(\d+)/.exec(last)?.[1])
  }

  said(words: string): readonly string[] {
    return this.agent.log.filter((line) => line.includes(words))
  }

  get copies(): readonly string[] {
    const copies = join(this.folder, '.palisade-agent')
    return existsSync(copies) ? readdirSync(copies).map((name) => join(copies, name)) : []
  }

  get records(): readonly string[] {
    return readdirSync(join(this.agent.stateDirectory, 'kept')).map((name) =>
      join(this.agent.stateDirectory, 'kept', name),
    )
  }

  /** Ends the agent when it has nothing left to write down. */
  async stopAgent(): Promise<void> {
    const journal = join(this.agent.stateDirectory, 'journal')
    await eventually('the acknowledgement of the outcome', () => readdirSync(journal).length === 0)
    await this.agent.stop()
  }

  write(at: number, bytes: Uint8Array, path = this.image): void {
    const file = openSync(path, 'r+')
    writeSync(file, bytes, 0, bytes.length, at)
    closeSync(file)
  }

  /** Runs commands of xfs_io on the image, which knows every way to change a file. */
  io(...commands: readonly string[]): void {
    run('xfs_io', ...commands.flatMap((command) => ['-c', command]), this.image)
  }
}

/**
 * Does something with an image that is alone on a file system; skipped where there can be none.
 *
 * @param overrides what differs from an agent that hardly ever reads everything
 */
export async function withTrackedImage(
  t: TestContext,
  kind: SharingFileSystem,
  work: (bench: TrackedImage) => Promise<void>,
  overrides: Partial<AgentOptions> = {},
): Promise<void> {
  if (!hasTools(t, 'xfs_io')) return
  const folder = emptySharingFileSystem(t, kind)
  if (folder === undefined) return
  const agent = await TestAgent.start(t, { backup: { tracking: { fullReadEvery: 1000 } }, ...overrides })
  await work(new TrackedImage(agent, folder))
}

/** Backs up twice, so that there is something to go on from, does something, and backs up again. */
export async function goesOnAfter(bench: TrackedImage, change: () => Promise<void> | void): Promise<void> {
  await bench.backUp()
  await change()
  bench.agent.log.length = 0
  await bench.backUp()
}
