import type { S3Client } from '@aws-sdk/client-s3'
import { VaultFailure } from '../../failure.ts'
import { isNotOffered, isOfARequest, statusOf, storageFailure } from './s3-failure.ts'
import { clientSettings, describe, type S3Options } from './s3-options.ts'
import { handlerWithSilenceBounds } from './s3-silence.ts'

type Library = typeof import('@aws-sdk/client-s3')

/** One listed object. */
export interface ListedObject {
  readonly name: string
  readonly modifiedMs: number
}

/** A part of an upload that the server has. */
export interface UploadedPart {
  readonly PartNumber: number
  readonly ETag: string
}

const deletedStatus = 404
const notMatchingStatus = 412
const rangeStatus = 416
/** A reply whose content breaks off is asked for again so often; the client repeats only requests without a reply. */
const readAttemptsMax = 4

/**
 * The requests that a vault makes, in terms of its object names. The client library is loaded with the first of them, so
 * that nobody pays for it who keeps vaults in directories. Failures are `VaultFailure`s without any secret.
 */
export class S3Bucket {
  readonly description: string
  readonly #options: S3Options
  readonly #prefix: string
  #opening: Promise<{ readonly library: Library; readonly client: S3Client }> | undefined

  constructor(options: S3Options) {
    this.#options = options
    this.#prefix = options.prefix ?? ''
    this.description = describe(options)
  }

  /** Stores an object in one request; with `onlyNew` the server refuses when there is one, if it knows conditional writes. */
  async put(
    name: string,
    content: Uint8Array,
    options: { readonly onlyNew?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<'stored' | 'exists'> {
    const { library, client } = await this.#open()
    const condition = options.onlyNew ? { IfNoneMatch: '*' } : {}
    const command = new library.PutObjectCommand({ ...this.#object(name), ...condition, Body: content })
    try {
      await client.send(command, abortable(options.signal))
      return 'stored'
    } catch (error) {
      if (options.onlyNew && statusOf(error) === notMatchingStatus) return 'exists'
      throw this.#failure('storing', name, error)
    }
  }

  async sizeBytes(name: string): Promise<number | undefined> {
    const { library, client } = await this.#open()
    try {
      const reply = await client.send(new library.HeadObjectCommand(this.#object(name)))
      return reply.ContentLength ?? 0
    } catch (error) {
      if (statusOf(error) === deletedStatus && !isNamed(error, 'NoSuchBucket')) return undefined
      throw this.#failure('asking for', name, await this.#withReason(name, error))
    }
  }

  /** The reply to HEAD has no body that would say why it was refused: that to GET has one. */
  async #withReason(name: string, refusal: unknown): Promise<unknown> {
    if (statusOf(refusal) === undefined) return refusal
    return this.#readOnce(name, 0, Buffer.alloc(1)).then(
      () => refusal,
      (error: unknown) => (statusOf(error) === statusOf(refusal) ? error : refusal),
    )
  }

  /** Fills `into` from an object; false when the object ends before, undefined when it is absent. `into` is not empty. */
  async read(name: string, offsetBytes: number, into: Uint8Array): Promise<boolean | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#readOnce(name, offsetBytes, into)
      } catch (error) {
        const status = statusOf(error)
        if (status === rangeStatus) return false
        if (status === deletedStatus && !isNamed(error, 'NoSuchBucket')) return undefined
        // Requests that failed the client has repeated already.
        if (attempt === readAttemptsMax || isOfARequest(error)) throw this.#failure('reading', name, error)
      }
    }
  }

  /** A whole small object, or nothing. */
  async readAll(name: string): Promise<Buffer | undefined> {
    const sizeBytes = await this.sizeBytes(name)
    if (sizeBytes === undefined) return undefined
    const content = Buffer.allocUnsafe(sizeBytes)
    if (sizeBytes > 0 && !(await this.read(name, 0, content))) return undefined
    return content
  }

  /**
   * All objects whose names begin so, page after page. A reply that says neither that it is the last page nor where the next
   * one begins is a failure: what it leaves out would count as absent, and a collection would free what that needs.
   */
  async list(prefix: string): Promise<ListedObject[]> {
    const { library, client } = await this.#open()
    const objects: ListedObject[] = []
    let token: string | undefined
    try {
      do {
        const command = new library.ListObjectsV2Command({
          Bucket: this.#options.bucket,
          Prefix: this.#prefix + prefix,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        })
        const page = await client.send(command)
        token = page.IsTruncated ? page.NextContinuationToken : undefined
        if (page.IsTruncated === undefined || (page.IsTruncated && !token)) {
          const message = `listing ${prefix} in ${this.description}: the reply is no whole listing`
          throw new VaultFailure('storage', message)
        }
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key === undefined) continue
          objects.push({ name: Key.slice(this.#prefix.length), modifiedMs: LastModified?.getTime() ?? 0 })
        }
      } while (token !== undefined)
    } catch (error) {
      throw this.#failure('listing', prefix, error)
    }
    return objects
  }

  async delete(name: string, signal?: AbortSignal): Promise<void> {
    const { library, client } = await this.#open()
    try {
      await client.send(new library.DeleteObjectCommand(this.#object(name)), abortable(signal))
    } catch (error) {
      throw this.#failure('deleting', name, error)
    }
  }

  /** Begins an upload in parts and gives its id. */
  async beginUpload(name: string, signal?: AbortSignal): Promise<string> {
    const { library, client } = await this.#open()
    try {
      const command = new library.CreateMultipartUploadCommand(this.#object(name))
      const { UploadId } = await client.send(command, abortable(signal))
      if (UploadId === undefined) throw new Error('no upload id')
      return UploadId
    } catch (error) {
      throw this.#failure('beginning', name, error)
    }
  }

  async uploadPart(
    name: string,
    upload: string,
    part: number,
    content: Uint8Array,
    signal?: AbortSignal,
  ): Promise<UploadedPart> {
    const { library, client } = await this.#open()
    try {
      const position = { UploadId: upload, PartNumber: part }
      const command = new library.UploadPartCommand({ ...this.#object(name), ...position, Body: content })
      const { ETag } = await client.send(command, abortable(signal))
      return { PartNumber: part, ETag: ETag ?? '' }
    } catch (error) {
      throw this.#failure(`storing part ${part} of`, name, error)
    }
  }

  /**
   * Puts an object together of its parts. Nobody else writes one of that name: where a repeated request finds the upload gone and the object
   * there, the first one has done it and its answer was lost.
   */
  async completeUpload(
    name: string,
    upload: string,
    parts: readonly UploadedPart[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { library, client } = await this.#open()
    try {
      const whole = { UploadId: upload, MultipartUpload: { Parts: [...parts] } }
      const command = new library.CompleteMultipartUploadCommand({ ...this.#object(name), ...whole })
      await client.send(command, abortable(signal))
    } catch (error) {
      const isDone = isNamed(error, 'NoSuchUpload') && (await this.sizeBytes(name)) !== undefined
      if (!isDone) throw this.#failure('completing', name, error)
    }
  }

  /** Gives an upload up. A server that cannot do that keeps the parts until its own rules remove them. */
  async abortUpload(name: string, upload: string): Promise<void> {
    const { library, client } = await this.#open()
    try {
      await client.send(new library.AbortMultipartUploadCommand({ ...this.#object(name), UploadId: upload }))
    } catch (error) {
      if (statusOf(error) === deletedStatus || isNotOffered(error)) return
      throw this.#failure('giving up', name, error)
    }
  }

  /** All uploads that were begun below the prefix and neither completed nor given up, as far as a server tells. */
  async listUploads(): Promise<{ readonly name: string; readonly upload: string }[]> {
    const { library, client } = await this.#open()
    const uploads: { name: string; upload: string }[] = []
    let marker: { KeyMarker: string; UploadIdMarker: string } | undefined
    try {
      do {
        const bounds = { Bucket: this.#options.bucket, Prefix: this.#prefix }
        const page = await client.send(new library.ListMultipartUploadsCommand({ ...bounds, ...marker }))
        for (const { Key, UploadId } of page.Uploads ?? []) {
          if (Key?.startsWith(this.#prefix) && UploadId !== undefined) {
            uploads.push({ name: Key.slice(this.#prefix.length), upload: UploadId })
          }
        }
        const { IsTruncated, NextKeyMarker, NextUploadIdMarker = '' } = page
        marker =
          IsTruncated && NextKeyMarker !== undefined
            ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker }
            : undefined
      } while (marker)
    } catch (error) {
      if (isNotOffered(error)) return uploads
      throw this.#failure('listing uploads of', '', error)
    }
    return uploads
  }

  async #readOnce(name: string, offsetBytes: number, into: Uint8Array): Promise<boolean> {
    const { library, client } = await this.#open()
    const Range = `bytes=${offsetBytes}-${offsetBytes + into.length - 1}`
    const command = new library.GetObjectCommand({ ...this.#object(name), Range })
    const { Body, ContentLength, ContentRange } = await client.send(command)
    // A server without ranges replies with the whole object, which is something else unless it was asked for from its start.
    if (offsetBytes > 0 && !ContentRange?.startsWith(`bytes ${offsetBytes}-`)) throw new Error('WrongRange')
    let filled = 0
    for await (const piece of isIterable(Body) ? Body : []) {
      const part = piece.subarray(0, into.length - filled)
      into.set(part, filled)
      filled += part.length
      if (filled === into.length) return true
    }
    if (filled === ContentLength) return false
    throw new Error('BrokenOff')
  }

  #object(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#options.bucket, Key: this.#prefix + name }
  }

  #open(): Promise<{ readonly library: Library; readonly client: S3Client }> {
    this.#opening ??= this.#load()
    return this.#opening
  }

  async #load() {
    const [library, { NodeHttpHandler }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@smithy/node-http-handler'),
    ])
    const requestHandler = handlerWithSilenceBounds(NodeHttpHandler, this.#options.authorities)
    return { library, client: new library.S3Client({ ...clientSettings(this.#options), requestHandler }) }
  }

  #failure(doing: string, name: string, error: unknown) {
    return storageFailure(`${doing} ${name} in ${this.description}`, error)
  }
}

function abortable(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {}
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}

function isIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
