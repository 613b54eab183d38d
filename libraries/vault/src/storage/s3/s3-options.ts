import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { VaultFailure } from '../../failure.ts'
import { assertPrefix } from '../object-name.ts'
import { requestAttemptsMax } from './s3-silence.ts'

/** Where a vault lies in an object store, and how to get there. */
export interface S3Options {
  readonly bucket: string
  /** Begins all names of the vault's objects: empty, or ending in `/`. Empty by default. */
  readonly prefix?: string
  /** `us-east-1` by default, which is what most servers other than Amazon's expect. */
  readonly region?: string
  /** The server's address, `https://…` or `http://…` without user, path and query; Amazon's by default. */
  readonly endpoint?: string
  /** The bucket as the first part of the path, not of the host name: by default when there is an `endpoint`. */
  readonly pathStyle?: boolean
  /** Authorities in PEM that the server's certificate may be of, besides the usual ones. */
  readonly authorities?: readonly string[]
  /** By default those of the environment: variables, profile, role of the machine (the client library's chain). */
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  /** How long the storage stays locked after a process that died on another machine, in milliseconds; two minutes by default. */
  readonly leaseMs?: number
  /** Whether a process that finds the storage locked has its holder see that, for a quarter of `leaseMs`. */
  readonly asksHolder?: boolean
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html; some servers also take capitals and `_`. */
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/

/** @throws VaultFailure `invalid-argument`, which never repeats credentials */
export function assertS3Options(options: S3Options): void {
  const refuse = (message: string): never => {
    throw new VaultFailure('invalid-argument', message)
  }
  if (!bucketForm.test(options.bucket))
    refuse('the bucket is a name of 3 to 63 letters, digits, dots and hyphens')
  assertPrefix(options.prefix ?? '')
  if (options.leaseMs !== undefined && !(options.leaseMs >= 1000)) refuse('leaseMs is at least 1000')
  if (options.endpoint === undefined) return
  const url = URL.parse(options.endpoint)
  const plain =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username + url.password + url.search + url.hash === '' &&
    url.pathname === '/'
  if (!plain) refuse('the endpoint is an address like https://host:port, without user, path and query')
}

/** The settings of the client library, but for what sends its requests. */
export function clientSettings(options: S3Options): S3ClientConfig {
  const { endpoint, credentials } = options
  return {
    region: options.region ?? 'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials ? { credentials: { ...credentials } } : {}),
    forcePathStyle: options.pathStyle ?? endpoint !== undefined,
    maxAttempts: requestAttemptsMax,
    // The signature covers the content already, and servers other than Amazon's know only some of these checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}

/** The bucket and the server, for messages. */
export function describe({ bucket, prefix = '', endpoint }: S3Options): string {
  const host = endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`
  return `s3://${bucket}/${prefix}${host}`
}
