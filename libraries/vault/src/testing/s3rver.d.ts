/** What of s3rver the tests use. */
declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Stored {
    readonly bucket: string
    readonly key: string
    readonly content: AsyncIterable<Uint8Array>
    readonly metadata: unknown
  }

  interface Store {
    putObject(object: Stored): Promise<{ size: number; md5: string }>
    putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
    listObjects(
      bucket: string,
      options: { prefix: string; startAfter: string; maxKeys: number },
    ): Promise<{
      objects: { key: string; lastModifiedDate: Date; readonly size: number }[]
      isTruncated: boolean
    }>
    existsObject(bucket: string, key: string): Promise<boolean>
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
  }

  export default class S3rver {
    readonly store: Store
    constructor(options: {
      directory: string
      silent: boolean
      configureBuckets: { name: string; configs: string[] }[]
    })
    configureBuckets(): Promise<unknown>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
