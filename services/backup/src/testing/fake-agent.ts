import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  type AgentMessage,
  agentPaths,
  type BackupSource,
  type ChunkFrame,
  type DiscoveredVolume,
  type HostAnswer,
  type HostQuestion,
  isSet,
  type MessageOrigin,
  type OriginatedMessage,
  type Outcome,
  originOf,
  parseServerMessage,
  readFrames,
  type ServerMessage,
  type Task,
  uploadHeader,
  type VolumeDescription,
} from '@palisade/agent-protocol'
import { type EndToEndKeys, isAllZero, nameChunk, type SealingKeys, sealChunk } from '@palisade/vault'
import { WebSocket } from 'ws'
import { openFrame } from './open-frame.ts'

/** A chunk as an agent has it, with its name. */
export interface NamedChunk {
  readonly id: Buffer
  readonly plaintext: Uint8Array
}

type MessageOf<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>

/** A volume of a computer with Windows, as its agent describes it. */
export const someVolume: VolumeDescription = {
  deviceId: '\\\\?\\Volume{11111111-2222-3333-4444-555555555555}\\',
  driveLetter: 'F:',
  label: 'Archive',
  fileSystem: 'ntfs',
  capacityBytes: 0,
  usedBytes: 4096,
  isBoot: false,
  firmware: 'bios',
  partitionScheme: 'gpt',
  partitionType: 'ebd0a0a2-b9e5-4433-87c0-68b6b72699c7',
  sourcePath: '/dev/sdb1',
}

/** Of the vaults of these tests. */
export const vaultChunkSizeBytes = 512 * 1024

/** An agent that does what a test says, over real connections. */
export class FakeAgent {
  readonly baseUrl: string
  readonly credential: string
  /** The computer's own key, when it has one. */
  endToEnd: EndToEndKeys | undefined
  /** Answers what is asked about hosts, as soon as it is asked; undefined for an agent that does not answer. */
  answersHosts: ((question: HostQuestion) => HostAnswer) | undefined
  /** Says of sources why they cannot be backed up, as soon as it is asked; undefined for an agent that does not know the question. */
  checksSources: ((source: BackupSource) => string | null) | undefined
  /** Whether it says that it lets programs read disks. */
  servesDisks = true
  /** Tells its volumes as soon as it is asked; undefined for an agent that a test answers for. */
  tellsVolumes: (() => DiscoveredVolume[]) | undefined
  #socket: WebSocket | undefined
  readonly #received: ServerMessage[] = []
  readonly #origins = new Map<string, MessageOrigin | undefined>()
  #wake: () => void = () => undefined

  constructor(baseUrl: string, credential: string) {
    this.baseUrl = baseUrl
    this.credential = credential
  }

  static async enrol(
    baseUrl: string,
    who: { account?: string; computer?: string; enrolmentKey?: string } = {},
  ): Promise<FakeAgent> {
    const reply = await fetch(baseUrl + agentPaths.enrol, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        account: 'acme',
        computer: '0001',
        enrolmentKey: 'enrol-one',
        agentVersion: '1.0.0',
        hostName: 'FILES01',
        platform: 'linux',
        ...who,
      }),
    })
    assert.equal(reply.status, 200, await reply.clone().text())
    const { credential } = (await reply.json()) as { credential: string }
    return new FakeAgent(baseUrl, credential)
  }

  /** The same agent, at a server that has other ports now. */
  at(baseUrl: string): FakeAgent {
    return new FakeAgent(baseUrl, this.credential)
  }

  get socket(): WebSocket {
    assert.ok(this.#socket, 'the agent is connected')
    return this.#socket
  }

  /** Opens the link and says hello, after which the computer is online. */
  async connect(running: { task: Task; id: string }[] = []): Promise<this> {
    this.#socket = new WebSocket(this.baseUrl.replace('http', 'ws') + agentPaths.link, {
      headers: { authorization: `Bearer ${this.credential}` },
    })
    this.#socket.on('message', (data) => {
      const originated = parseServerMessage(data.toString())
      assert.ok(originated, `a message that the protocol does not know: ${data}`)
      const { origin: _, ...message }: OriginatedMessage = originated
      this.#origins.set(message.id, originOf(originated))
      if (message.type === 'ask-host' && this.answersHosts) {
        this.say({ type: 'host-answer', id: message.id, answer: this.answersHosts(message.question) })
        return
      }
      if (message.type === 'check-sources' && this.checksSources) {
        this.say({ type: 'sources-checked', id: message.id, faults: message.sources.map(this.checksSources) })
        return
      }
      if (message.type === 'discover-volumes' && this.tellsVolumes) {
        this.say({ type: 'volumes', id: message.id, volumes: this.tellsVolumes() })
        return
      }
      this.#received.push(message)
      this.#wake()
    })
    await once(this.#socket, 'open')
    this.say({
      type: 'hello',
      agentVersion: '1.0.1',
      hostName: 'FILES01',
      platform: 'linux',
      running,
      ...(this.endToEnd ? { endToEndKeyCheck: this.endToEnd.keyCheck } : {}),
      restoreTo: ['/srv/restores'],
      ...(this.servesDisks ? { servesDisks: true } : {}),
      ...(this.checksSources ? { checksSources: true } : {}),
    })
    // Messages are dealt with in order: when this one is answered, the greeting is through.
    this.say({ type: 'finished', task: 'backup', id: 'greeting', outcome: { state: 'CANCELED' } })
    await this.heard('acknowledge', ({ id }) => id === 'greeting')
    return this
  }

  say(message: AgentMessage): void {
    this.socket.send(JSON.stringify(message))
  }

  /** The first message of a type that was not taken yet, now or later. */
  async heard<Type extends ServerMessage['type']>(
    type: Type,
    suits: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    const isWanted = (message: ServerMessage): message is MessageOf<Type> =>
      message.type === type && suits(message as MessageOf<Type>)
    for (;;) {
      const index = this.#received.findIndex(isWanted)
      const [message] = index < 0 ? [] : this.#received.splice(index, 1)
      if (message && isWanted(message)) return message
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** What the last message about a task or a question came of. */
  originOf(id: string): MessageOrigin | undefined {
    return this.#origins.get(id)
  }

  /** What was received and not taken. */
  get unheard(): readonly ServerMessage[] {
    return this.#received
  }

  /** Answers the server's next question for the volumes of the computer. */
  async tellVolumes(answer: { volumes: DiscoveredVolume[] } | { failure: string }): Promise<void> {
    const { id } = await this.heard('discover-volumes')
    this.say({ type: 'volumes', id, ...answer })
  }

  async finish(task: Task, id: string, outcome: Outcome): Promise<void> {
    this.say({ type: 'finished', task, id, outcome })
    await this.heard('acknowledge', (message) => message.id === id)
  }

  async disconnect(): Promise<void> {
    const closed = once(this.socket, 'close')
    this.socket.close()
    await closed
  }

  request(method: string, path: string, body?: Buffer): Promise<Response> {
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(body ? { 'content-type': 'application/octet-stream' } : {}),
      },
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
  }

  async keys(): Promise<{ keys: SealingKeys; chunkSizeBytes: number }> {
    const reply = await this.request('GET', agentPaths.keys)
    assert.equal(reply.status, 200)
    const { naming, sealing, marking, chunkSizeBytes } = (await reply.json()) as Record<string, string>
    const keyOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64')
    return {
      keys: this.endToEnd
        ? { ...this.endToEnd.chunks, marking: keyOf(marking) }
        : { naming: keyOf(naming), sealing: keyOf(sealing) },
      chunkSizeBytes: Number(chunkSizeBytes),
    }
  }

  /** Names the chunks of a volume, uploads those that the server lacks, and gives all ids. */
  async upload(backupId: string, content: Buffer): Promise<{ ids: Buffer; uploaded: number }> {
    const { keys, chunkSizeBytes } = await this.keys()
    const chunks: NamedChunk[] = []
    for (let at = 0; at < content.length; at += chunkSizeBytes) {
      const plaintext = content.subarray(at, at + chunkSizeBytes)
      const id = isAllZero(plaintext) ? Buffer.alloc(32) : nameChunk(plaintext, keys.naming)
      chunks.push({ id, plaintext })
    }
    const ids = Buffer.concat(chunks.map(({ id }) => id))
    return { ids, uploaded: await this.uploadMissing(backupId, chunks) }
  }

  /** Uploads those of some chunks that the server lacks. @returns how many these are */
  async uploadMissing(backupId: string, chunks: readonly NamedChunk[]): Promise<number> {
    const { keys } = await this.keys()
    const ids = Buffer.concat(chunks.map(({ id }) => id))
    const reply = await this.request('POST', agentPaths.missing(backupId), ids)
    assert.equal(reply.status, 200, await reply.clone().text())
    const bitmap = Buffer.from(await reply.arrayBuffer())
    const missingChunks = chunks.filter((_chunk, index) => isSet(bitmap, index))
    const frames = missingChunks.flatMap(({ id, plaintext }) => {
      const sealed = sealChunk(id, plaintext, keys)
      return [uploadHeader(id, sealed.length), sealed]
    })
    if (missingChunks.length > 0) {
      const stored = await this.request('POST', agentPaths.chunks(backupId), Buffer.concat(frames))
      assert.equal(stored.status, 204, await stored.clone().text())
    }
    return missingChunks.length
  }

  commit(backupId: string, ids: Buffer, volume: VolumeDescription, more: object = {}): Promise<Response> {
    const metadata = Buffer.from(
      JSON.stringify({
        volume,
        chunkSizeBytes: vaultChunkSizeBytes,
        chunkCount: ids.length / 32,
        createdAtMs: Date.UTC(2030, 5, 1, 12, 30, 15, 678),
        ...(this.endToEnd ? { endToEnd: { keyCheck: this.endToEnd.keyCheck } } : {}),
        ...more,
      }),
    )
    const length = Buffer.alloc(4)
    length.writeUInt32LE(metadata.length)
    return this.request('POST', agentPaths.commit(backupId), Buffer.concat([length, metadata, ids]))
  }

  /** Does a whole backup that the server has asked for. */
  async backUp(
    backupId: string,
    content: Buffer,
    volume: Partial<VolumeDescription> = {},
    more: object = {},
  ): Promise<number> {
    const { ids } = await this.upload(backupId, content)
    const whole = { ...someVolume, capacityBytes: content.length, ...volume }
    const reply = await this.commit(backupId, ids, whole, more)
    assert.equal(reply.status, 200, await reply.clone().text())
    const { revisionId } = (await reply.json()) as { revisionId: number }
    await this.finish('backup', backupId, { state: 'SUCCESS', revisionId })
    return revisionId
  }

  /** Fetches a revision as a restore does. */
  async download(restoreId: string, revisionId: number, content: Buffer): Promise<void> {
    const { keys, chunkSizeBytes } = await this.keys()
    const reply = await this.request('GET', agentPaths.presence(restoreId, revisionId))
    assert.equal(reply.status, 200)
    const presence = Buffer.from(await reply.arrayBuffer())
    const chunkCount = Math.ceil(content.length / chunkSizeBytes)
    const frames = await this.chunks(restoreId, revisionId, 0, chunkCount)
    const positions = new Set<number>()
    for (const frame of frames) {
      const { index } = frame
      const start = index * chunkSizeBytes
      assert.ok(
        content.subarray(start, start + chunkSizeBytes).equals(openFrame(frame, keys, chunkSizeBytes)),
      )
      positions.add(index)
    }
    for (let index = 0; index < chunkCount; index++) {
      const start = index * chunkSizeBytes
      const isStored = !isAllZero(content.subarray(start, start + chunkSizeBytes))
      assert.equal(isSet(presence, index), isStored)
      assert.equal(positions.has(index), isStored)
    }
  }

  async chunks(restoreId: string, revisionId: number, from: number, to: number): Promise<ChunkFrame[]> {
    const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${from}&to=${to}`
    const reply = await this.request('GET', path)
    assert.equal(reply.status, 200)
    const body = Buffer.from(await reply.arrayBuffer())
    assert.equal(Number(reply.headers.get('content-length')), body.length)
    return Array.fromAsync(
      readFrames(
        (async function* () {
          yield body
        })(),
        'download',
      ),
    )
  }
}

/** A volume as an agent tells of it, which can be backed up unless `more` says otherwise. */
export function newDiscoveredVolume(
  path: string,
  volume: Partial<VolumeDescription> = {},
  more: Partial<DiscoveredVolume> = {},
): DiscoveredVolume {
  return {
    source: { path },
    volume: {
      ...someVolume,
      deviceId: deviceIdOf(path),
      capacityBytes: 1024 ** 3,
      sourcePath: path,
      ...volume,
    },
    volumeKind: 1,
    driveType: 3,
    unsupportedReason: 0,
    ...more,
  }
}

/** A device id that differs with the path, in the form of a Windows volume path. */
export function deviceIdOf(path: string): string {
  const hex = Buffer.from(path).toString('hex').padEnd(12, '0').slice(-12)
  return `\\\\?\\Volume{00000000-0000-0000-0000-${hex}}\\`
}

/** A volume of four chunks and a bit: noise, zeros, text, noise, and a short rest. */
export function someContent(seed = 1): Buffer {
  const content = Buffer.alloc(4 * vaultChunkSizeBytes + 12_288)
  const noise = (from: number, to: number) => {
    let state = seed
    for (let at = from; at < to; at += 4) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      content.writeUInt32LE(state, at)
    }
  }
  noise(0, vaultChunkSizeBytes)
  content.fill(`text ${seed} `, 2 * vaultChunkSizeBytes, 3 * vaultChunkSizeBytes)
  noise(3 * vaultChunkSizeBytes, content.length)
  return content
}
