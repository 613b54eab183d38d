import { Transform, type TransformCallback } from 'node:stream'
import { endOfTurn } from '../../event-loop-turn.ts'
import {
  type FrameHead,
  faultOf,
  frameHeadIn,
  isControl,
  opcodes,
  unmask,
} from '../../filters/websockets/frames.ts'
import type { MemoryRoom } from '../../rate-control/memory-room.ts'
import { GrowingBytes } from '../growing-bytes.ts'
import { Pieces } from '../pieces.ts'
import type { SocketGuard } from './socket-guard.ts'

/** Longer messages are not looked at, in bytes; they are as long as bodies without files may be. */
export const messageBytesMax = 128 * 1024

/** How a direction is watched. */
interface Watching {
  readonly isFromClient: boolean
  readonly guard: SocketGuard
  readonly room: MemoryRoom
}

/**
 * One direction of a WebSocket: lets its frames pass as they came, when they have been looked at. The frames of a message that is judged wait
 * for its end; frames about the connection, which may come in between, do not. Where the WebSocket only logs, what cannot be read, or
 * is too long to be held, passes unread.
 */
export class WatchedDirection extends Transform {
  readonly #watching: Watching
  readonly #readsMessages: boolean
  /** The beginning of a frame's head. */
  #rest: Buffer = Buffer.alloc(0)
  /** The frame whose payload comes, and how much of that has come. */
  #frame: FrameHead | undefined
  #taken = 0
  /** Whether a message has begun and not ended. */
  #isWithinMessage = false
  #isText = false
  /** Frames of the message so far. */
  #frames = 0
  /** Whether its frames are held and its payload read. */
  #isHolding = false
  readonly #held = new GrowingBytes()
  readonly #payload = new GrowingBytes()
  /** What passes, until nothing more is there to be looked at, or something has to be waited for. */
  readonly #passed = new Pieces()
  /** Whether nothing is looked at any more. */
  #isUnread = false
  /** Whether the last byte that was passed on was the last of a frame. */
  #isBetweenFrames = true

  constructor(watching: Watching) {
    super()
    this.#watching = watching
    this.#readsMessages = watching.isFromClient && watching.guard.readsMessages
  }

  /** Nothing of what comes is passed on any more. @param frame put behind what was passed on, where that is the end of one */
  endWith(frame: Buffer): void {
    const { room } = this.#watching
    room.release(this)
    this.#isHolding = false
    if (this.readableEnded || this.destroyed) return
    this.#send()
    if (this.#isBetweenFrames && !this.#isUnread) this.push(frame)
    this.push(null)
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk).then(() => {
      this.#send()
      done()
    }, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#watching.room.release(this)
    done(error)
  }

  /** Others need the room that a message takes. */
  giveWay(): void {
    if (!this.#isHolding) return
    this.#letGo('A message came so slowly that others needed the memory that it took.')
  }

  async #take(chunk: Buffer): Promise<void> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = Buffer.alloc(0)
    while (bytes.length > 0 && !this.#watching.guard.isRefused) {
      if (this.#isUnread) {
        this.#passed.add(bytes)
        return
      }
      if (this.#frame === undefined) {
        const head = frameHeadIn(bytes)
        if (head === undefined) {
          this.#rest = Buffer.from(bytes)
          return
        }
        this.#begin(head)
        if (this.#isUnread) continue
        this.#pass(bytes.subarray(0, head.size), head)
        bytes = bytes.subarray(head.size)
      }
      bytes = await this.#takePayload(bytes)
    }
  }

  #begin(head: FrameHead): void {
    const { guard, isFromClient } = this.#watching
    const fault = faultOf(head, { isFromClient, isWithinMessage: this.#isWithinMessage })
    if (fault !== undefined) {
      guard.asked((checks) => checks.refusesFault(fault))
      this.#stopReading()
      return
    }
    const isOfMessage = !isControl(head)
    if (isOfMessage) {
      if (!this.#isWithinMessage) {
        this.#frames = 0
        this.#isText = head.opcode === opcodes.text
        this.#isHolding = this.#readsMessages
      }
      this.#frames++
      this.#isWithinMessage = !head.isFinal
    }
    guard.asked((checks) => checks.refusesFrame(head, isOfMessage ? this.#frames : 0))
    this.#frame = head
    this.#taken = 0
    const bytes = this.#held.length + head.size + head.bytes
    if (isOfMessage && this.#isHolding && bytes > messageBytesMax) {
      this.#letGo(`A message is longer than the ${messageBytesMax} bytes up to which it is looked at.`)
    }
  }

  async #takePayload(bytes: Buffer): Promise<Buffer> {
    const frame = this.#frame
    if (frame === undefined) return bytes
    const piece = bytes.subarray(0, frame.bytes - this.#taken)
    if (piece.length > 0) {
      if (this.#isHeld(frame)) this.#payload.append(unmask(piece, frame.mask, this.#taken))
      this.#taken += piece.length
      this.#pass(piece, frame)
    }
    if (this.#taken === frame.bytes) {
      this.#frame = undefined
      if (this.#isHeld(frame) && frame.isFinal) await this.#judge()
      else if (!this.#isHeld(frame)) this.#isBetweenFrames = true
    }
    return bytes.subarray(piece.length)
  }

  async #judge(): Promise<void> {
    const { guard, room } = this.#watching
    this.#send()
    // Whoever sends many small messages at once does not keep others waiting.
    await endOfTurn()
    if (this.destroyed || !this.#isHolding) return
    guard.judge(this.#payload.take(), this.#isText)
    this.#isHolding = false
    room.release(this)
    const frames = this.#held.take()
    if (guard.isRefused) return
    this.#passed.add(frames)
    this.#isBetweenFrames = true
  }

  #isHeld(frame: FrameHead): boolean {
    return this.#isHolding && !isControl(frame)
  }

  #pass(bytes: Buffer, frame: FrameHead): void {
    if (this.#watching.guard.isRefused) return
    if (!this.#isHeld(frame)) {
      this.#isBetweenFrames = false
      this.#passed.add(bytes)
      return
    }
    this.#held.append(bytes)
    this.#watching.room.hold(this, this.#held.length + this.#payload.length)
  }

  /** Gives up on a message: it is refused, or passes unread. */
  #letGo(detail: string): void {
    const { guard, room } = this.#watching
    this.#isHolding = false
    room.release(this)
    this.#payload.take()
    const frames = this.#held.take()
    guard.asked((checks) => checks.refusesUnread(detail))
    if (guard.isRefused || frames.length === 0) return
    this.#isBetweenFrames = this.#frame === undefined
    this.#passed.add(frames)
    this.#send()
  }

  /** Nobody knows any more where frames begin. */
  #stopReading(): void {
    if (this.#watching.guard.isRefused) return
    this.#watching.room.release(this)
    this.#isUnread = true
    this.#isHolding = false
    this.#payload.take()
    const frames = this.#held.take()
    if (frames.length > 0) this.#passed.add(frames)
  }

  #send(): void {
    if (this.#passed.length > 0 && !this.destroyed && !this.readableEnded) this.push(this.#passed.take())
  }
}
