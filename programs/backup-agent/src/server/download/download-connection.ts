import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { addressInUse, leaveAddress } from '../addresses.ts'
import { type ServerConnection, tlsOptions } from '../connection.ts'
import {
  explanationOf,
  explanationSizeMaxBytes,
  isOfUnreachable,
  ReplyBroken,
  RequestRefused,
} from '../request-failure.ts'
import { RequestSilence, silenceError } from '../silence.ts'
import { ResponseReader } from './response-reader.ts'

/** What a receive buffer should hold: as much as the network brings while the bytes before are dealt with. */
export const receiveBufferSizeBytes = 1024 * 1024

/** Takes a piece of a body; a promise is when it takes the next one. */
export type TakeBody = (bytes: Buffer) => Promise<void> | undefined

/**
 * A connection for downloads, one at a time, kept open between them and opened again when it was lost. It is to the address in use;
 * a download that finds no server there has the agent use the next address.
 */
export class DownloadConnection {
  readonly #connection: ServerConnection
  readonly #buffer: Buffer
  #socket: Socket | undefined
  /** Where the connection leads. */
  #url = ''
  #current: Download | undefined

  /** @param buffer what arrives is read into it, over and over, until {@link close} */
  constructor(connection: ServerConnection, buffer: Buffer) {
    this.#connection = connection
    this.#buffer = buffer
  }

  /**
   * Gets what is at a path below the base URL. Nothing else may be asked of this connection until it is done.
   *
   * @param onBody is given the body as it arrives, in views that are valid until it returns; what it throws ends
   *   the download. With a promise it asks for nothing more until that resolves; a secure connection may yet bring
   *   what it has decrypted
   * @throws RequestRefused when the status is not 200
   * @throws ReplyBroken when the reply ends early or is not HTTP
   */
  async get(path: string, onBody: TakeBody, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { addresses } = this.#connection
    const url = addressInUse(addresses)
    if (url !== this.#url) this.close()
    this.#url = url
    const stop = () => this.#end(signal.reason)
    signal.addEventListener('abort', stop)
    try {
      await new Promise<void>((resolve, reject) => {
        this.#current = new Download(onBody, new RequestSilence(addresses, url), resolve, reject)
        this.#socket ??= this.#open()
        this.#socket.setTimeout(this.#current.silence.lookMs)
        this.#socket.write(this.#request(path))
      })
    } catch (error) {
      if (isOfUnreachable(error) && !signal.aborted) leaveAddress(addresses, url)
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      this.#current = undefined
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #request(path: string): string {
    const { credential, requestId } = this.#connection
    const { pathname, host } = new URL(this.#url)
    const id = requestId === undefined ? '' : `X-Request-Id: ${requestId}\r\n`
    return `GET ${pathname}${path} HTTP/1.1\r\nHost: ${host}\r\n${id}Authorization: Bearer ${credential}\r\n\r\n`
  }

  #open(): Socket {
    const url = new URL(this.#url)
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const options = {
      host,
      port: Number(url.port || (isSecure ? 443 : 80)),
      noDelay: true,
      onread: {
        buffer: this.#buffer,
        callback: (sizeBytes: number) => this.#socket !== socket || this.#take(socket, sizeBytes),
      },
    }
    const socket: Socket = isSecure
      ? connectSecure({ ...options, ...tlsOptions(this.#connection.trust) })
      : connectPlain(options)
    const onLost = (error: Error) => {
      if (this.#socket === socket) this.#lose(error)
    }
    socket.on('error', onLost)
    socket.on('timeout', () => {
      const silence = this.#current?.silence
      if (silence === undefined || silence.lastsTooLong(socket)) onLost(silenceError())
      else socket.setTimeout(silence.lookMs)
    })
    socket.on('close', () => {
      if (this.#socket === socket) this.#end(undefined)
    })
    return socket
  }

  /** @returns whether more may come at once */
  #take(socket: Socket, sizeBytes: number): boolean {
    try {
      if (this.#current === undefined) throw new ReplyBroken('the server spoke without being asked')
      const outcome = this.#current.push(this.#buffer.subarray(0, sizeBytes))
      const pause = this.#current.takePause()
      if (outcome === 'complete-and-closed') this.close()
      if (outcome !== 'unfinished') this.#current.finish()
      else if (pause !== undefined) {
        this.#resumeAfter(pause, socket)
        return false
      }
    } catch (error) {
      this.#end(error)
    }
    return true
  }

  /** While the agent itself lets the server wait, silence means nothing. */
  #resumeAfter(pause: Promise<void>, socket: Socket): void {
    socket.setTimeout(0)
    pause.then(() => {
      if (this.#socket !== socket) return
      if (this.#current !== undefined) socket.setTimeout(this.#current.silence.lookMs)
      socket.resume()
    })
  }

  /** The connection is of no more use. Without an error, it was closed. */
  #end(error: unknown): void {
    this.close()
    if (error === undefined) this.#current?.connectionEnded()
    else this.#current?.fail(error)
  }

  /** The network failed. What was half received is a broken reply. */
  #lose(error: Error): void {
    this.#end(
      this.#current?.hasBegun
        ? new ReplyBroken('the connection was lost inside the reply', { cause: error })
        : error,
    )
  }
}

/** One request on its way. */
class Download {
  readonly #reader: ResponseReader
  readonly #resolve: () => void
  /** Called with why there will be no more of it. */
  readonly fail: (error: unknown) => void
  readonly silence: RequestSilence
  #pause: Promise<void> | undefined
  /** The beginning of a body that is not the one asked for. */
  #explanation = Buffer.alloc(0)

  constructor(
    onBody: TakeBody,
    silence: RequestSilence,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.silence = silence
    this.#resolve = resolve
    this.fail = reject
    this.#reader = new ResponseReader(({ status }, bytes) => {
      if (status === 200) this.#pause = onBody(bytes)
      else this.#explanation = Buffer.concat([this.#explanation, bytes]).subarray(0, explanationSizeMaxBytes)
    })
  }

  /** Whether the reply has begun to arrive. */
  get hasBegun(): boolean {
    return this.#reader.head !== undefined
  }

  push(bytes: Buffer): 'unfinished' | 'complete' | 'complete-and-closed' {
    this.#reader.push(bytes)
    // A server may go on with an explanation without an end.
    if (this.#explanation.length >= explanationSizeMaxBytes) return 'complete-and-closed'
    if (!this.#reader.isComplete) return 'unfinished'
    return this.#reader.head?.keepsAlive ? 'complete' : 'complete-and-closed'
  }

  /** What to wait for before more is read, once. */
  takePause(): Promise<void> | undefined {
    const pause = this.#pause
    this.#pause = undefined
    return pause
  }

  finish(): void {
    const status = this.#reader.head?.status ?? 0
    if (status === 200) this.#resolve()
    else this.fail(new RequestRefused(status, explanationOf(this.#explanation)))
  }

  connectionEnded(): void {
    try {
      this.#reader.end()
      this.finish()
    } catch (error) {
      this.fail(error)
    }
  }
}
