/**
 * A server of the S3 protocol for tests: s3rver, and before it what it lacks and the storage relies on or can use:
 *
 * - objects that appear as a whole, also when the client dies while it sends (s3rver writes them in place)
 * - conditional writes with `If-None-Match: *`, unless `plain`; with `lies`, one that is to be refused is acknowledged and not done
 * - listing and giving up uploads in parts, unless `plain`
 * - content in signed chunks, as restic sends it
 * - listings of several pages, whose marks s3rver encrypts with a cipher that OpenSSL has no more
 * - requests that fail when a test wants it
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import S3rver from 's3rver'
import type { S3Options } from '../storage/s3/s3-options.ts'

/** What happens to a request: it is served, answered with a failure, or its connection ends before or after it is served. */
export type RequestFate = 'served' | 'refused' | 'cut-before' | 'cut-after'

export interface S3TestServer {
  /** How to get to the bucket of the tests. */
  readonly options: S3Options
  /** All requests so far, as method and address. */
  readonly requests: string[]
  /** Decides about each request from now on. */
  decide: (request: string) => RequestFate
  /** Ids of the uploads in parts that have not been completed or given up. */
  uploads(): Promise<string[]>
  close(): Promise<void>
}

const bucket = 'vaults'

export async function startS3Server(
  settings: { readonly plain?: boolean; readonly lies?: boolean } = {},
): Promise<S3TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'palisade-s3-'))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket, configs: [] }] })
  await s3.configureBuckets()
  storeWholeObjects(s3)
  const uploadsFolder = s3.store.getResourcePath(bucket, undefined, 'uploads')
  const uploads = () => readdir(uploadsFolder).catch(() => [])
  const serve = s3.callback()
  const requests: string[] = []
  const http = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    requests.push(line)
    const fate = server.decide(line)
    if (fate === 'cut-before') return request.socket.destroy()
    if (fate === 'refused') return refuse(response, 503, 'SlowDown')
    if (fate === 'cut-after') {
      response.writeHead = () => response
      response.write = () => true
      response.end = () => {
        request.socket.destroy()
        return response
      }
    }
    const extra = settings.plain ? undefined : serveExtra(s3, uploadsFolder, request, response, settings.lies)
    const own = listObjects(s3, request, response) ?? extra
    if (own === undefined) return serve(request, response)
    own.then(
      (served) => {
        if (!served) serve(request, response)
      },
      () => refuse(response, 500, 'InternalError'),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const server: S3TestServer = {
    options: {
      bucket,
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    requests,
    decide: () => 'served',
    uploads,
    close: async () => {
      http.close()
      http.closeAllConnections()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return server
}

/** Takes the whole content before anything of it can be seen. */
function storeWholeObjects({ store }: S3rver): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    const whole = withoutSignatures(Buffer.concat(pieces))
    const md5 = createHash('md5').update(whole).digest('hex')
    const path = store.getResourcePath(bucket, key, 'object')
    const temporary = `${path}-${randomUUID()}`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, whole)
    await rename(temporary, path)
    await store.putMetadata(bucket, key, metadata, md5)
    return { size: whole.length, md5 }
  }
}

/** What some clients send in signed chunks, which s3rver stores as they come: `length;chunk-signature=…`, content, again and again. */
function withoutSignatures(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const [header, length = ''] =
      /^([0-9a-f]+);chunk-signature=[0-9a-f]{64}\r\n/.exec(body.toString('latin1', at, at + 128)) ?? []
    if (header === undefined) return body
    const start = at + header.length
    at = start + Number.parseInt(length, 16)
    pieces.push(body.subarray(start, at))
    at += '\r\n'.length
  }
  return Buffer.concat(pieces)
}

function listObjects(
  { store }: S3rver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> | undefined {
  const url = new URL(request.url ?? '', 'http://server')
  if (url.searchParams.get('list-type') !== '2' || !url.pathname.startsWith(`/${bucket}`)) return undefined
  const prefix = url.searchParams.get('prefix') ?? ''
  const startAfter = url.searchParams.get('continuation-token') ?? ''
  return store.listObjects(bucket, { prefix, startAfter, maxKeys: 1000 }).then(({ objects, isTruncated }) => {
    const entries = objects.map(
      ({ key, lastModifiedDate, size }) =>
        `<Contents><Key>${key}</Key><LastModified>${lastModifiedDate.toISOString()}</LastModified><Size>${size}</Size></Contents>`,
    )
    const next = isTruncated ? `<NextContinuationToken>${objects.at(-1)?.key}</NextContinuationToken>` : ''
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
    )
    return true
  })
}

/** Serves what s3rver lacks; undefined when the request is one for s3rver. */
function serveExtra(
  { store }: S3rver,
  uploadsFolder: string,
  request: IncomingMessage,
  response: ServerResponse,
  lies = false,
): Promise<boolean> | undefined {
  const url = new URL(request.url ?? '', 'http://server')
  const key = decodeURIComponent(url.pathname.slice(`/${bucket}/`.length))
  const upload = url.searchParams.get('uploadId')
  if (request.method === 'GET' && url.searchParams.has('uploads')) return listUploads(uploadsFolder, response)
  if (request.method === 'DELETE' && upload !== null) {
    return rm(join(uploadsFolder, upload), { recursive: true, force: true }).then(() => {
      response.writeHead(204).end()
      return true
    })
  }
  if (request.method === 'POST' && upload !== null && !existsSync(join(uploadsFolder, upload))) {
    refuse(response, 404, 'NoSuchUpload')
    return Promise.resolve(true)
  }
  if (request.method === 'PUT' && request.headers['if-none-match'] === '*') {
    return store.existsObject(bucket, key).then((exists) => {
      if (exists && lies) response.writeHead(200, { etag: '"acknowledged"' }).end()
      else if (exists) refuse(response, 412, 'PreconditionFailed')
      return exists
    })
  }
  return undefined
}

async function listUploads(folder: string, response: ServerResponse): Promise<boolean> {
  const ids = await readdir(folder).catch(() => [])
  const entries = ids.map(async (id) => {
    const key = await readFile(join(folder, id, 'key'), 'utf8')
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`
  })
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(
    `<ListMultipartUploadsResult>${(await Promise.all(entries)).join('')}</ListMultipartUploadsResult>`,
  )
  return true
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>as the test wanted</Message></Error>`)
}
