import { refuseProblems } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = Type.String({ minLength: 1 })

/** Where the vault lies and what opens it, as the configuration file says. */
export const VaultConfigurationSchema = Type.Object(
  {
    /** A folder of this machine; `vault` in the data directory unless given. */
    directory: Type.Optional(text),
    /** A bucket of S3-compatible storage, in the place of a folder. It has to exist. */
    s3: Type.Optional(
      Type.Object(
        {
          bucket: text,
          /** Begins the names of all objects of the vault, and of nothing else. */
          prefix: Type.String({ default: 'palisade/' }),
          /** `https://host` or `https://host:port`; Amazon's when left out. */
          endpoint: Type.Optional(text),
          region: Type.Optional(text),
          /** Whether the bucket is a part of the path rather than of the host's name; with an endpoint unless given. */
          pathStyle: Type.Optional(Type.Boolean()),
          /** Without these two the client library looks where it always does: its own variables, profiles, the machine's role. */
          accessKeyId: Type.Optional(text),
          secretAccessKey: Type.Optional(text),
          sessionToken: Type.Optional(text),
        },
        { additionalProperties: false },
      ),
    ),
    /** 32 bytes; `vault.key` in the data directory unless given, made at the first start. */
    keyFile: Type.Optional(text),
    /** A file whose first line is a passphrase, in the place of a key file. */
    passphraseFile: Type.Optional(text),
  },
  { additionalProperties: false },
)

export type VaultConfiguration = Static<typeof VaultConfigurationSchema>

/**
 * Checks what the schema cannot say: members that exclude or need each other.
 *
 * @throws Error naming each member at fault
 */
export function checkVaultConfiguration({
  directory,
  s3,
  keyFile,
  passphraseFile,
}: VaultConfiguration): void {
  const problems = [
    ...(directory !== undefined && s3 ? ['s3 cannot be given together with directory'] : []),
    ...(keyFile !== undefined && passphraseFile !== undefined
      ? ['passphraseFile cannot be given together with keyFile']
      : []),
    ...(s3 ? problemsOfBucket(s3) : []),
  ]
  refuseProblems(
    'backup',
    problems.map((problem) => `backup.vault.${problem}`),
  )
}

function problemsOfBucket(s3: NonNullable<VaultConfiguration['s3']>): string[] {
  const { bucket, prefix, endpoint, accessKeyId, secretAccessKey, sessionToken } = s3
  return [
    ...(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket)
      ? []
      : ['s3.bucket must be a name of 3 to 63 letters, digits, dots and hyphens']),
    ...(/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/.test(prefix)
      ? []
      : [
          's3.prefix must be empty or end in a slash, and have only letters, digits, dots, hyphens and underscores beside',
        ]),
    ...(endpoint === undefined || isPlainAddress(endpoint)
      ? []
      : ['s3.endpoint must be an address like https://host:port, without user, path and query']),
    ...((accessKeyId === undefined) === (secretAccessKey === undefined)
      ? []
      : [
          `s3.${accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey'} is missing beside the other one`,
        ]),
    ...(sessionToken !== undefined && accessKeyId === undefined
      ? ['s3.sessionToken needs accessKeyId and secretAccessKey']
      : []),
  ]
}

function isPlainAddress(endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username + url.password + url.search + url.hash === '' && url.pathname === '/'
}
